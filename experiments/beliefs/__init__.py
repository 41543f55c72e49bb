"""Studies of beliefs: fit action models, score beliefs, and show what gives a saboteur away."""
