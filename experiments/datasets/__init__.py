"""Data sets of decisions: written as compact moves, read as arrays."""
