"""What MkDocs asks of this project before and while it builds the site."""

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def on_startup(**_: Any) -> None:
    """Put the package together as it is installed, agents and experiments inside, for mkdocstrings to read."""
    package = ROOT / "build" / "docs" / "saboteur_env"
    package.mkdir(parents=True, exist_ok=True)
    sources = [*(ROOT / "saboteur_env").iterdir(), ROOT / "agents", ROOT / "experiments"]
    for link in package.iterdir():
        link.unlink()
    for source in sources:
        if source.name != "__pycache__":
            (package / source.name).symlink_to(source)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Let links that leave docs/ in the repository stay on the site, where results are copied to."""
    return markdown if "/" in page.file.src_uri else re.sub(r"\]\(\.\./results/", "](results/", markdown)
