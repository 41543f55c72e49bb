"""Set before NumPy and PyTorch load, and for every process that a test starts."""

import gc
import os

# As many tests run at once as there are cores: the threads of linear algebra would wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")


def pytest_collection():
    """Collecting leaves about a million objects that stay. Python's collector would go through them again and again."""
    gc.disable()


def pytest_collection_finish():
    gc.freeze()
    gc.enable()
