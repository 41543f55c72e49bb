"""What an addition costs: made in a copy of the package, each in as many files as CONTRIBUTING.md allows it.

An edit gives a text that stands in a file once, and what takes its place. A new file has no text to be found.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

DWARF = {
    "saboteur_env/agents/scripted/presets.py": {
        "(LOYAL_FACADE, STRIKE, 5),\n": '(LOYAL_FACADE, STRIKE, 5),\n    "sleepy": (LOYAL_FACADE, STRIKE, 1),\n',
    }
}
DWARF_WORKS = """
from saboteur_env import Game
from saboteur_env.agents import make_agent
game = Game(players=5, seed=1)
game.play(make_agent("careless+sleepy").act(game.view(game.seat), seed=1))
assert make_agent("sleepy").probabilities(game.view(game.seat))
"""

REWARD = {
    "saboteur_env/environment/rewards.py": {
        '"nuggets", "match")': '"nuggets", "match", "miners")',
        "NUGGETS, MATCH = range(4)": "NUGGETS, MATCH, ALL_MINERS = range(5)",
        "    if reward == MATCH and": "    if reward == ALL_MINERS:\n"
        "        paid[:players] = public.winner == MINERS\n    if reward == MATCH and",
    }
}
REWARD_WORKS = """
from saboteur_env import env
table = env(players=3, rounds=1, reward="miners")
table.reset(seed=1)
for agent in table.agent_iter():
    observation, reward, terminated, truncated, info = table.last()
    table.step(None if terminated else int(observation["action_mask"].argmax()))
    assert reward in (0, 1)
"""

ROW = {
    "saboteur_env/environment/fields.py": {
        '    passes="passes",\n': '    passes="passes",\n    turns="events of this round",\n',
        "    table[TABLE.passes] = public.passes\n": "    table[TABLE.passes] = public.passes\n"
        "    table[TABLE.turns] = public.event_count\n",
    },
    "saboteur_env/core/versions.py": {"OBSERVATION_VERSION = 1": "OBSERVATION_VERSION = 2"},
}
ROW_WORKS = """
from saboteur_env import Game, Settings
observations = Settings(players=5).observations
game = Game(players=5, seed=1)
for _ in range(3):
    game.play(game.view(game.seat).legal_moves()[0])
number = next(i for i in range(observations.bytes) if "events of this round" in observations.meaning(i))
assert observations.observe(game.view(0))[number] == 3
"""

SWITCH = {
    "saboteur_env/engine/editions.py": {
        '    "break_self": Switch(': '    "repair_self": Switch((True, False), "repair_self", "own repair"),\n'
        '    "break_self": Switch(',
        "    break_self: bool\n": "    repair_self: bool\n    break_self: bool\n",
    },
    "saboteur_env/engine/legal.py": {
        "tools >> tool & 1:": "tools >> tool & 1 and (public.rules.repair_self or seat != public.seat):"
    },
    "saboteur_env/core/versions.py": {"OBSERVATION_VERSION = 1": "OBSERVATION_VERSION = 2"},
}
SWITCH_WORKS = """
import random
from saboteur_env import Game
rng, barred = random.Random(1), set()
strict, printed = (Game(players=3, seed=1, options=options) for options in ({"repair_self": False}, {}))
while strict.legal_moves():
    own = {text for text in printed.legal_moves() if text.startswith("repair:") and text.endswith(f":{strict.seat}")}
    assert set(printed.legal_moves()) - set(strict.legal_moves()) == own
    barred |= own
    move = rng.choice(strict.legal_moves())
    strict.play(move), printed.play(move)
again = Game.from_json(strict.to_json())
assert barred and again.rules == strict.rules != printed.rules
"""

STUDY = {
    "saboteur_env/experiments/win_rates/short_rounds.py": {
        "": """'How many rounds end early?'

STUDY = "short-rounds"


def main(deals: int = 3) -> None:
    'How many rounds end early.'
    print(f"{deals} deals")
"""
    }
}
STUDY_WORKS = """
import sys
from saboteur_env.cli import main
sys.argv = ["saboteur-env", "study", "short-rounds", "--deals", "7"]
main()
"""

ADDITIONS = {
    "a scripted dwarf": (DWARF, DWARF_WORKS),
    "a reward": (REWARD, REWARD_WORKS),
    "an observation row": (ROW, ROW_WORKS),
    "a rule switch": (SWITCH, SWITCH_WORKS),
    "a study with its command": (STUDY, STUDY_WORKS),
}


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of the package as it is installed, with agents and experiments inside."""
    home = tmp_path_factory.mktemp("copy")
    for source, target in (("saboteur_env", "."), ("agents", "saboteur_env"), ("experiments", "saboteur_env")):
        shutil.copytree(ROOT / source, home / target / source, ignore=shutil.ignore_patterns("__pycache__"))
    return home


def edited(text, changes):
    for old, new in changes.items():
        assert text.count(old) == 1 or not text, old
        text = text.replace(old, new) if text else new
    return text


@pytest.mark.parametrize("name", ADDITIONS)
def test_an_addition_costs_what_contributing_says(name, package, tmp_path):
    files, works = ADDITIONS[name]
    (allowed,) = re.findall(rf"^\| {name} \| (\d) \|", (ROOT / "CONTRIBUTING.md").read_text(), flags=re.MULTILINE)
    home = shutil.copytree(package, tmp_path / "copy")
    for path, changes in files.items():
        file = home / path
        file.write_text(edited(file.read_text() if file.exists() else "", changes))
    assert len(files) <= int(allowed)
    environment = {**os.environ, "PYTHONPATH": str(home), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "ignore", "-c", works]
    run = subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
