"""A table in the browser: people and dwarfs play a match together (docs/play.md)."""
