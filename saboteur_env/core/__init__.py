"""What both games share: random numbers, checks, files, schemas. It does not depend on a game."""
