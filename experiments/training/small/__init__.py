"""Training of the small network, which plays in kernels (agents/scripted/small_network.py)."""
