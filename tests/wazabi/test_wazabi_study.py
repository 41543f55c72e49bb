"""Win rates of Wazabi by seat: the same games for a seed, right tables, the command and the pages."""

import csv
import re
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from saboteur_env.agents.wazabi import WazabiAgent
from saboteur_env.cli import app
from saboteur_env.experiments.win_rates.wazabi import Study, play, seat_rows
from saboteur_env.wazabi import Game

ROOT = Path(__file__).parents[2]
SMALL = Study(players=(2, 5), games=250, seed=4)


def test_a_seed_repeats_the_games_whatever_the_number_of_workers():
    assert play(SMALL, workers=1) == play(SMALL, workers=3) != play(Study((2, 5), 250, seed=5), workers=2)


def test_win_rates_add_up():
    rows = seat_rows(play(SMALL))
    assert [(row["players"], row["seat"]) for row in rows] == [(n, seat) for n in (2, 5) for seat in range(n)]
    for players in (2, 5):
        rates = [row for row in rows if row["players"] == players]
        assert sum(row["won"] for row in rates) == pytest.approx(1)
        assert all(row["low"] < row["won"] < row["high"] for row in rates)


def test_a_game_of_the_table_is_the_checked_game():
    for row in play(Study((4,), 5, agent="random")):
        game = Game(players=4, seed=row["seed"])
        assert game.records[0].public.first_seat == row["first_seat"]


def test_greedy_players_beat_random_ones():
    won, agents = Counter(), [WazabiAgent("greedy"), WazabiAgent("random")]
    for seed in range(150):
        game = Game(players=3, seed=seed)
        while not game.over:
            game.play(agents[game.seat != seed % 3].act(game.view(game.seat), seed))
        won[game.winner == seed % 3] += 1
    assert won[True] > 75  # 50 by chance


def test_players_answer_for_their_own_seat_only():
    game = Game(players=3, seed=1)
    with pytest.raises(ValueError, match="is not to move"):
        WazabiAgent("greedy").act(game.view((game.seat + 1) % 3), 0)
    with pytest.raises(ValueError, match="there is no player 'clever'"):
        WazabiAgent("clever")


def test_the_command_prints_and_writes(tmp_path):
    said = CliRunner().invoke(app, ["win-rates", "--game", "wazabi", "--matches", "50", "--out", str(tmp_path)])
    assert said.exit_code == 0, said.output
    assert len(re.findall(r"\d \[\d+\.\d, \d+\.\d\]", said.output)) == 2 + 3 + 4 + 5 + 6
    with open(tmp_path / "wazabi_win_rates.csv", encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 20


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--game", "wazabi", "--players", "2-7"], "give numbers from 2 to 6"),
        (["--game", "wazabi", "--rounds", "2"], "means nothing in wazabi"),
        (["--agent", "random"], "means nothing in saboteur"),
        (["--game", "chess"], "saboteur or wazabi"),
    ],
)
def test_wrong_options_are_explained(arguments, said):
    answer = CliRunner().invoke(app, ["win-rates", *arguments])
    assert answer.exit_code == 2
    assert said in " ".join(answer.output.split())


def test_citations_of_rules_lead_somewhere():
    page = (ROOT / "docs" / "wazabi.md").read_text()
    sources = [*(ROOT / "saboteur_env" / "wazabi").rglob("*.py"), ROOT / "experiments" / "win_rates" / "wazabi.py"]
    cited = {number for path in sources for number in re.findall(r"(?:Wazabi |\()(\d\.\d)", path.read_text())}
    assert len(cited) > 10
    assert not [number for number in cited if f'id="{number.replace(".", "-")}"' not in page]
