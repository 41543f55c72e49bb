"""Win rates by number of players, role, edition and first seat."""
