"""The benchmark: frozen tasks, and the row of each agent."""
