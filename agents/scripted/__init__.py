"""Scripted agents: their parameters, presets, policy and role inference."""
