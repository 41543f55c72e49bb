"""The rules of Saboteur as compiled kernels on one record."""
