"""Observations, actions and rewards, and the PettingZoo environment."""
