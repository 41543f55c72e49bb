"""What `saboteur-env` can do: a module for each command, or for a few of a kind."""
