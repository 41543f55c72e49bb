"""One checked game, its views, and its texts: moves, positions, transcripts."""
