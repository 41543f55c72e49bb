"""What follows from a view: possible worlds, and whole games sampled from it."""
