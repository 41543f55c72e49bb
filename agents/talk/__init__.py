"""Dwarfs that talk: what they claim, and how they read the claims of others (docs/talk.md)."""
