"""The commands of `saboteur-env`: a module for each command, or for a few similar ones."""
