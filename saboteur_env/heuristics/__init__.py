"""The number of cards still needed to a goal, for scripted agents and shaping."""
