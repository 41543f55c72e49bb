"""Set before NumPy and PyTorch load, and for every process that a test starts."""

import os

# As many tests run at once as there are cores: the threads of linear algebra would wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")
