"""Dwarfs: they get a view and answer with a move."""
