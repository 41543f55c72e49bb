"""Studies of beliefs: fit action models, score beliefs, and say what gives a saboteur away."""
