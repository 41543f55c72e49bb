"""Experiments that read top to bottom: a documented function first, then its command."""
