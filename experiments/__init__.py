"""Experiments. Each is a documented function first, then its command."""
