"""Training by PPO: configs, self-play, opponents, checkpoints and evaluation."""
