"""Set before NumPy and PyTorch load: as many tests run at once as there are cores, so each has one thread to compute."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
