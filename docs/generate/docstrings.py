"""Docstrings of this project as Markdown: one-line sections in bold, doctests and drawings as blocks of code."""

import re
from typing import Any

from griffe import Extension, Object

_SECTION = re.compile(r"^(Raises|Mutates|Requires|Returns): (?=\S)", re.MULTILINE)
_DOCTEST = re.compile(r"^>>> .*(?:\n(?!\s*$).*)*", re.MULTILINE)


class ProjectDocstrings(Extension):
    """Rewrites every docstring before it is parsed."""

    def on_instance(self, *, obj: Object, **_: Any) -> None:
        """Called for each module, class, function and attribute."""
        if obj.docstring:
            text = _SECTION.sub(r"\n**\1:** ", obj.docstring.value)
            text = re.sub(r"::$", ":", text, flags=re.MULTILINE)
            obj.docstring.value = _DOCTEST.sub(lambda found: f"\n```pycon\n{found[0]}\n```", text)
