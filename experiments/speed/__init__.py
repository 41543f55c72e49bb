"""Benchmarks: the engine, batches, training, and other libraries side by side."""
