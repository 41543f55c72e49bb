"""Figures on pages and in terminals: shares with their intervals, and Markdown tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def percent(value: float, low: float, high: float, sign: str = "") -> str:
    """A share and its interval, in per cent; with `sign="+"` a difference in points.

    >>> percent(0.605, 0.572, 0.637)
    '60.5 [57.2, 63.7]'
    """
    value, low, high = 100 * value, 100 * low, 100 * high
    return f"{value:{sign}.1f} [{low:{sign}.1f}, {high:{sign}.1f}]"


def share_of(row: Mapping[str, Any], before: str = "", sign: str = "") -> str:
    """`percent` of what a row says under the names `won`, `low` and `high`, each with `before` in front."""
    return percent(row[f"{before}won"], row[f"{before}low"], row[f"{before}high"], sign)


def markdown_table(heads: Sequence[str], rows: Iterable[Sequence[str]], align: str = "---") -> str:
    """A table of Markdown; `align="---:"` puts its cells to the right."""
    head, *body = (f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in (heads, *rows))
    return "\n".join([head, "|" + f"{align}|" * len(heads), *body])


def markdown_rows(rows: Iterable[Mapping[str, Any]], columns: Mapping[str, str]) -> str:
    """Rows as a table of Markdown, right-aligned.

    Args:
        columns: for each head how a row fills its cell, as a format string over the row's names.

    >>> print(markdown_rows([{"players": 3, "won": 0.25}], {"players": "{players}", "won": "{won:.0%}"}))
    | players | won |
    |---:|---:|
    | 3 | 25% |
    """
    cells = ([form.format(**row) for form in columns.values()] for row in rows)
    return markdown_table([*columns], cells, "---:")
