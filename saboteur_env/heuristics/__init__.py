"""How many cards are still needed to a goal, for scripted agents and shaping."""
