"""Agents that play by a trained network."""
