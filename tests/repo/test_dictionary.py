"""One dictionary: the field's word for each idea, in code, docs and messages; docs/glossary.md prints it."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = sorted(
    path for folder in ("saboteur_env", "agents", "experiments", "tests") for path in (ROOT / folder).rglob("*.py")
)
TEXTS = [
    *(path for path in CODE if path != Path(__file__)),
    *(path for folder in (".", "docs", "agents/models") for path in sorted((ROOT / folder).glob("*.md"))),
    *sorted((ROOT / "docs").glob("*/*.md")),
    *sorted((ROOT / "notebooks").glob("*.ipynb")),
    *sorted((ROOT / "experiments/configs").glob("*.toml")),
]
TEXTS = [path for path in TEXTS if path.name not in ("CHANGELOG.md", "CLAUDE.md", "AGENTS.md")]

# Names that no code has any more, and what the idea is called.
BANNED = {
    "agent_of": "make_agent",
    "Cast": "Matchup",
    "casts": "matchups",
    "play_cast": "play_matchup",
    "Character": "HeuristicWeights",
    "Clues": "RoleEvidence",
    "contestants": "cases",
    "Deeds": "ActionDataset",
    "departures": "validation_errors",
    "DIGS_LOYALLY": "LOYAL_FACADE",
    "FOLLOWED": "TRACKED",
    "guilt": "saboteur_probability",
    "habits": "action_model",
    "Habits": "ActionModel",
    "in_lines": "padded_dtype",
    "Judging": "EvaluationConfig",
    "Known": "InfoState",
    "Learners": "SingleAgentBatch",
    "lie_of": "orientation_of",
    "LIES": "ORIENTATIONS",
    "LIES_IN_WAIT": "PATIENT_FACADE",
    "lies_held": "orientations_held",
    "liking": "preference",
    "look_around": "classify_actions",
    "onlooker": "tracker",
    "Onlooker": "BeliefTracker",
    "Outlook": "PolicyOutput",
    "Parts": "ResultStore",
    "paying": "reward_id",
    "place_of": "coord_of",
    "places_of": "indices_of",
    "Race": "Comparison",
    "ROSTER": "PRESETS",
    "sharpen": "logit_scale",
    "sight": "inputs",
    "Sight": "PolicyInputs",
    "sight_of": "inputs_of",
    "Solo": "SingleAgentEnv",
    "squash": "signed_log1p",
    "Styles": "PlayerTypes",
    "WAY": "CONNECTED",
    "whim": "temperature",
    "whole_numbers": "as_int_array",
    "why_not": "explain_illegal",
    "Worth": "CardValues",
}
# Phrases that a reader who is not a native speaker stumbles over.
PHRASES = {
    r"\banew\b": "again",
    r"\b[Hh]angs? on\b": "depends on",
    r"\bby lot\b": "at random",
    r"\b[Ll]ots? to come\b": "random key",
    r"\bthat (is|are) none\b": "say what is wrong",
    r"\bnobody has seen\b": "unseen",
    r"\ba (seat|name) (that )?nobody has\b": "unknown",
    r"\bcome along\b": "shipped",
    r"\blies? in wait\b": "waits",
    r"\b(is|are) wont to\b": "usually",
    r"\bof the roster\b": "preset",
    r"\bwhims?\b": "random moves",
}
# What each module of its kind says for itself, and what the second game says for itself.
OF_A_KIND = {"STUDY", "FORMAT", "DEFAULTS", "RENAMED", "PACKAGE", "ENV_ID", "T"}


def names_in(tree):
    """All identifiers: variables, attributes, arguments, keywords, functions, classes, imports."""
    for node in ast.walk(tree):
        for field in ("id", "attr", "arg", "name", "asname"):
            name = getattr(node, field, None)
            if isinstance(name, str):
                yield name.rsplit(".", 1)[-1]


@pytest.mark.parametrize("folder", ["saboteur_env", "agents", "experiments", "tests"])
def test_no_code_has_a_name_of_the_old_dialect(folder):
    used = defaultdict(set)
    for path in CODE:
        if path.is_relative_to(ROOT / folder):
            for name in names_in(ast.parse(path.read_text(encoding="utf-8"))):
                used[name].add(path.name)
    assert {name: (BANNED[name], sorted(used[name])) for name in BANNED if name in used} == {}


def test_texts_say_it_plainly():
    found = [
        f"{path.relative_to(ROOT)}:{number}: {match[0]!r}, say {plain!r}"
        for path in TEXTS
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for phrase, plain in PHRASES.items()
        for match in re.finditer(phrase, line)
    ]
    assert not found, "\n".join(found)


def constants(path):
    """The public constants that a module defines, and the source of their values."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for name in (part for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)):
                if name.id.isupper() and not name.id.startswith("_"):
                    yield name.id, ast.unparse(node.value)


def test_the_name_of_a_constant_means_one_thing():
    meanings = defaultdict(dict)
    for path in CODE:
        if "wazabi" not in str(path) and not path.is_relative_to(ROOT / "tests"):
            for name, value in constants(path):
                meanings[name][path.relative_to(ROOT).as_posix()] = value
    several = {name: list(where) for name, where in meanings.items() if len(set(where.values())) > 1}
    assert {name: where for name, where in several.items() if name not in OF_A_KIND} == {}
