"""What stands on numba: compiling and its cache, the memory of records, vector registers."""
