"""Data sets of decisions: what is written is what was played, and reads again as what each seat saw."""

import numpy as np
import pytest
from typer.testing import CliRunner

pytest.importorskip("pyarrow", reason="needs the extra report")
import pyarrow.parquet

from saboteur_env import Game
from saboteur_env.cli import app
from saboteur_env.core.errors import OpponentError
from saboteur_env.engine.cards import ROLES
from saboteur_env.engine.state import WINNERS
from saboteur_env.environment.actions import Actions
from saboteur_env.environment.observations import Observations
from saboteur_env.experiments.datasets.read import config_of, expand, open_dataset
from saboteur_env.experiments.datasets.record import DatasetConfig, record_shard, write_dataset

SMALL = DatasetConfig(("scripted", "random"), 6, (3, 4), rounds=2, seed=2, window="printed", history=2)


@pytest.fixture(scope="module")
def table():
    """The decisions of a few matches."""
    return record_shard(SMALL, 0)


def replayed(table):
    """Each row with its match as a checked game, before the decision."""
    game = None
    for row in table.to_pylist():
        if row["round"] == 1 and row["decision"] == 0:
            game = Game(row["players"], seed=row["match"], rounds=2)
        elif row["decision"] == 0:
            game.next_round()
        yield row, game
        game.play(row["move"])


def test_the_rows_are_matches_of_their_seeds_move_for_move(table):
    ends = 0
    for row, game in replayed(table):
        assert (row["seat"], row["round"]) == (game.seat, game.round)
        assert ROLES[row["role"]] == game.view(game.seat).role
        assert row["role"] == row["saboteurs"] >> row["seat"] & 1
        after = game.copy()
        after.play(row["move"])
        if after.round_over:
            ends += 1
            assert WINNERS[row["winner"]] == after.winner
    assert ends == 2 * SMALL.matches
    assert game.over


def test_the_return_is_what_the_round_paid(table):
    for row in table.to_pylist():
        assert row["return"] == (1.0 if WINNERS[row["winner"]] == f"{ROLES[row['role']]}s" else -1.0)


def test_each_seat_is_an_agent_for_a_whole_round_by_the_seed(table):
    seated = {}
    for row in table.to_pylist():
        seated.setdefault((row["match"], row["round"], row["seat"]), set()).add(row["agent"])
    assert all(len(names) == 1 for names in seated.values())
    assert set().union(*seated.values()) == {"scripted", "random"}
    assert record_shard(SMALL, 0).equals(table)


def test_views_are_those_of_the_seats_that_decided(table):
    views, observations, actions = expand(table), Observations("printed", 2), Actions("printed")
    mask = views.mask(actions.count)
    for i, (row, game) in enumerate(replayed(table)):
        view = game.view(game.seat)
        assert np.array_equal(views.observation[i], observations.observe(view))
        numbers = {actions.number(move, view.seat, row["players"]) for move in view.legal_moves()} - {-1}
        assert set(np.flatnonzero(mask[i]).tolist()) == numbers
        assert views.action[i] == actions.number(row["move"], view.seat, row["players"])


def test_a_folder_is_read_lazily_and_finished_files_are_not_played_again(tmp_path):
    config = DatasetConfig(matches=2, players=(3,), views=True, window="printed", history=0)
    (file,) = write_dataset(config, tmp_path)
    before = file.stat().st_mtime_ns
    assert write_dataset(config, tmp_path) == [file]
    assert file.stat().st_mtime_ns == before
    data = open_dataset(tmp_path)
    assert data.count_rows() == pyarrow.parquet.ParquetFile(file).metadata.num_rows
    whole = data.to_table()
    assert config_of(whole) == config
    views = expand(whole)
    assert np.array_equal(np.stack(whole["observation"].to_numpy()), views.observation)
    assert whole["action"].to_pylist() == views.action.tolist()
    with pytest.raises(ValueError, match="holds another data set"):
        write_dataset(SMALL, tmp_path)


def test_the_command_writes_a_data_set(tmp_path):
    line = ["dataset", "--matches", "2", "--players", "3", "--out", str(tmp_path / "data"), "--agents", "random"]
    assert CliRunner().invoke(app, line).exit_code == 0
    assert set(open_dataset(tmp_path / "data").to_table()["agent"].to_pylist()) == {"random"}


def test_agents_in_python_are_recorded_and_those_that_fail_are_named():
    first = record_shard(DatasetConfig(("tests.support.dwarfs.First",), 1, (3,)), 0)
    assert first["move"].to_pylist()[0] == sorted(Game(3, seed=first["match"][0].as_py()).legal_moves())[0]
    with pytest.raises(OpponentError, match=r"tests.support.dwarfs.Cheat, seat \d of game 0"):
        record_shard(DatasetConfig(("tests.support.dwarfs.Cheat",), 1, (3,)), 0)


def test_a_move_that_does_not_follow_is_named(table):
    with pytest.raises(ValueError, match="row 0: the move does not follow"):
        expand(table.slice(1))
    with pytest.raises(ValueError, match="no decisions of this library"):
        expand(table.replace_schema_metadata({}))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"agents": ("grumpy",)}, "no dwarf 'grumpy'"),
        ({"matches": 0}, "matches must be a whole number from 1"),
        ({"players": (2,)}, "players must be"),
        ({"reward": "love"}, "reward must be one of"),
        ({"agents": ()}, "needs agents"),
    ],
)
def test_impossible_data_sets_are_refused(settings, said):
    with pytest.raises(ValueError, match=said):
        DatasetConfig(**settings)


def test_a_folder_without_files_is_refused(tmp_path):
    with pytest.raises(ValueError, match="holds no decisions"):
        open_dataset(tmp_path)
