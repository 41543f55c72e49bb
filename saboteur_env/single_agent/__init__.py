"""One learner among built-in agents, for Gymnasium and stable-baselines3."""
