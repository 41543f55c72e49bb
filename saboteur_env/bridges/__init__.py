"""Doors of other libraries: a module for each."""
