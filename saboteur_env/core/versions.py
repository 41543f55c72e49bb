"""Numbers that change when a meaning changes, stamped into transcripts, tables and weights."""

OBSERVATION_VERSION = 1
ACTION_VERSION = 1
VERSIONS = {"observations": OBSERVATION_VERSION, "actions": ACTION_VERSION}
