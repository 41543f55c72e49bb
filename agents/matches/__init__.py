"""Matches among agents in compiled code, and agents that play inside a batch."""
