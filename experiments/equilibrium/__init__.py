"""Small mines solved exactly: trees, solvers, best responses."""
