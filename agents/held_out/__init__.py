"""The held-out family: what it reads, its decision rules, its characters. For judging alone."""
