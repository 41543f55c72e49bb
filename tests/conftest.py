"""Set before NumPy and PyTorch load, and for every process that a test starts."""

import os
import sys
from pathlib import Path

import pytest

# As many tests run at once as there are cores: the threads of linear algebra would wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Libraries without bytecode, and none may be written beside them: each of the processes would compile them again.
if sys.dont_write_bytecode and not Path(pytest.__cached__).exists():
    sys.dont_write_bytecode, sys.pycache_prefix = False, str(Path(__file__).parents[1] / ".pytest_cache" / "bytecode")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
