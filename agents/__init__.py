"""Dwarfs that play."""
