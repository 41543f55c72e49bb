"""What every number of an observation and every action means, as Markdown tables."""

import re
from collections.abc import Callable, Iterable
from textwrap import indent

from saboteur_env.core.field import Field
from saboteur_env.engine.cards import KINDS
from saboteur_env.environment.settings import Settings
from saboteur_env.wazabi import actions as wazabi_actions
from saboteur_env.wazabi import observations as wazabi_observations


def fill_tables(page: str) -> str:
    """A page with its marks `{{ name }}` replaced by tables."""

    def filled(mark: re.Match[str]) -> str:
        return indent(TABLES[mark["name"]](), mark["margin"])

    return re.sub(r"(?P<margin>(?:^ +)?)\{\{ (?P<name>\w+) \}\}", filled, page, flags=re.MULTILINE)


def _markdown(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


def _range(first: int, count: int) -> str:
    return f"{first:,}" if count == 1 else f"{first:,} to {first + count - 1:,}"


def _field_rows(fields: Iterable[Field]) -> list[tuple[object, ...]]:
    """A row for each field, and one for each of its named parts."""
    rows, first = [], 0
    for field in fields:
        shape = " x ".join(map(str, field.shape))
        rows.append(
            (_range(first, field.size), f"**{field.name}**", shape, f"{field.low} to {field.high}", field.meaning)
        )
        rows += _part_rows(field, first)
        first += field.size
    return rows


def _part_rows(field: Field, first: int) -> list[tuple[object, ...]]:
    """The named parts: planes of a grid, the entries of a vector, or the columns of the first row of a table."""
    if not field.parts:
        return []
    if len(field.shape) == 3:
        size, cells = field.size // field.shape[0], " x ".join(map(str, field.shape[1:]))
        return [(_range(first + i * size, size), "", cells, "", part) for i, part in enumerate(field.parts)]
    every = f", then every {len(field.parts)}" if len(field.shape) == 2 else ""
    return [(f"{first + i:,}{every}", "", "", "", part) for i, part in enumerate(field.parts)]


def observation_table() -> str:
    """The observation of Saboteur with the default settings."""
    return _markdown(("numbers", "field", "shape", "range", "meaning"), _field_rows(Settings().observations.fields))


def action_table() -> str:
    """The actions of Saboteur with the default window."""
    rows = [(_range(first, count), f"`{name}`", count, text) for name, first, count, text in Settings().actions.table()]
    return _markdown(("actions", "name", "number", "meaning"), rows)


def wazabi_observation_table() -> str:
    """The observation of Wazabi."""
    return _markdown(("numbers", "field", "shape", "range", "meaning"), _field_rows(wazabi_observations.FIELDS))


def wazabi_action_table() -> str:
    """The actions of Wazabi."""
    rows = [(_range(first, count), f"`{name}`", count) for name, first, count in wazabi_actions.table()]
    return _markdown(("actions", "name", "number"), rows)


def card_table() -> str:
    """The kinds of cards in the order of every field that counts them."""
    return _markdown(("position", "card"), ((i, f"`{kind}`") for i, kind in enumerate(KINDS)))


def example_number() -> str:
    """One number of an observation, explained."""
    seen = Settings().observations
    return f"`{seen.meaning(137)}`"


TABLES: dict[str, Callable[[], str]] = {
    "observation_table": observation_table,
    "action_table": action_table,
    "wazabi_observation_table": wazabi_observation_table,
    "wazabi_action_table": wazabi_action_table,
    "card_table": card_table,
    "example_number": example_number,
}
