"""Studies of the search agent: its strength, the speed of roll-outs, and the fit of its evaluation."""
