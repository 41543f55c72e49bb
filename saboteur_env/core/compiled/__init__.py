"""The layer on top of numba: compiling and its cache, the memory of records, vector registers."""
