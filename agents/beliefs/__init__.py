"""Beliefs about roles and the treasure, and models of how others act."""
