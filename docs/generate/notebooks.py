"""Notebooks as pages."""

from pathlib import Path

from nbconvert import MarkdownExporter


def notebook_page(path: Path) -> tuple[str, dict[str, bytes]]:
    """A notebook as Markdown, with its figures by file name."""
    text, resources = MarkdownExporter().from_filename(
        str(path), {"unique_key": path.stem, "output_files_dir": f"{path.stem}_files"}
    )
    return text.replace(".ipynb)", ".md)").replace("(../docs/", "(../").replace("(../results/", "(../results/"), dict(
        resources["outputs"]
    )
