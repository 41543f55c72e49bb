"""Version numbers of observations and actions. Transcripts, tables and weights carry them."""

from __future__ import annotations

OBSERVATION_VERSION = 1
ACTION_VERSION = 1
TALK_VERSION = 1  # of what tables that talk add to both
VERSIONS = {"observations": OBSERVATION_VERSION, "actions": ACTION_VERSION}


def versions_of(talks: bool) -> dict[str, int]:
    """The versions of a table, with those of words where it talks."""
    return VERSIONS | ({"talk": TALK_VERSION} if talks else {})
