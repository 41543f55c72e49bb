"""What both games stand on: random numbers, checks, files, schemas. Knows no game."""
