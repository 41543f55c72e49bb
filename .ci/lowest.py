"""Print the lowest versions that pyproject.toml allows of what the package needs, as pip takes them."""

import re
from pathlib import Path

import tomllib

for need in tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]:
    print(re.sub(r"([\w-]+)>=([\d.]+).*", r"\1==\2", need))
