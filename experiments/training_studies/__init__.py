"""Studies of training: an ablation, tables of learned teams, and learning curves."""
