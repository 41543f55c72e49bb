"""The pages of the site that are made from code and results; run by the plugin gen-files when the site is built."""

import re
import sys
from pathlib import Path

import mkdocs_gen_files

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(Path(__file__).parent))

from api import api_pages  # noqa: E402
from commands import command_line  # noqa: E402
from space_tables import fill_tables  # noqa: E402

from notebooks import notebook_page  # noqa: E402


def write(path: str, text: str) -> None:
    """Write a page of the site."""
    with mkdocs_gen_files.open(path, "w") as page:
        page.write(text)


def write_tutorial() -> None:
    """Write the notebooks with their figures, and their list as the first page."""
    summary = ["* [Tutorial](index.md)"]
    listed = (ROOT / "notebooks" / "README.md").read_text(encoding="utf-8")
    write("tutorial/index.md", listed.replace(".ipynb)", ".md)").replace("(../docs/", "(../"))
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        text, figures = notebook_page(path)
        write(f"tutorial/{path.stem}.md", text)
        for name, data in figures.items():
            with mkdocs_gen_files.open(f"tutorial/{name}", "wb") as file:
                file.write(data)
        summary.append(f"* [{re.search(r'^# (.*)', text, re.MULTILINE)[1]}]({path.stem}.md)")
    write("tutorial/SUMMARY.md", "\n".join(summary))


def write_results() -> None:
    """Copy the pages of results with their pictures."""
    for path in sorted((ROOT / "results").glob("*/README.md")):
        write(f"results/{path.parent.name}/README.md", path.read_text(encoding="utf-8"))
        for picture in path.parent.glob("*.png"):
            with mkdocs_gen_files.open(f"results/{path.parent.name}/{picture.name}", "wb") as file:
                file.write(picture.read_bytes())


def write_reference() -> None:
    """Write the command line, the Python reference, and the tables of the environments' pages."""
    write("reference/command_line.md", command_line())
    for path, text in api_pages(ROOT).items():
        write(f"reference/api/{path}", text)
    for name in ("saboteur", "wazabi"):
        page = ROOT / "docs" / "environments" / f"{name}.md"
        write(f"environments/{name}.md", fill_tables(page.read_text(encoding="utf-8")))


write_tutorial()
write_results()
write_reference()
