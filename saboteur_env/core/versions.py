"""Version numbers of observations and actions. Transcripts, tables and weights carry them."""

OBSERVATION_VERSION = 1
ACTION_VERSION = 1
VERSIONS = {"observations": OBSERVATION_VERSION, "actions": ACTION_VERSION}
