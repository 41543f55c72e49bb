"""The search agent: information-set Monte Carlo tree search."""
