"""One validated game, its views, and its texts: moves, positions, transcripts."""
