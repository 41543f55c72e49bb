"""Words in arrays: actions and observations of tables that talk, which only add to those of others."""

import numpy as np
import pytest

from saboteur_env import Game, Settings, env, game_seed, make_vec
from saboteur_env.environment.actions import WORD_MOVES, Actions
from saboteur_env.environment.observations import Observations
from tests.support.positions import played
from tests.talk.test_words import TALK, reader

SILENT, TALKING = Settings(players=3), Settings(players=3, options=TALK)


def test_words_follow_all_other_actions_and_fields():
    assert TALKING.actions.count == SILENT.actions.count + len(WORD_MOVES) == SILENT.actions.count + 29
    assert TALKING.observations.fields[:-1] == SILENT.observations.fields
    assert TALKING.observations.fields[-1].name == "talk"
    assert [row[0] for row in TALKING.actions.table()][-3:] == ["claim", "accuse", "vouch"]


def test_every_word_is_an_action_and_back():
    actions = Actions(talk=True)
    for action in range(actions.count - len(WORD_MOVES), actions.count):
        text = actions.text(action, seat=3, players=10)
        assert actions.number(text, 3, 10) == action
        assert Actions().number(text, 3, 10) == -1
    assert actions.text(actions.count - 9, 3, 10) == "vouch:4"  # seats count from oneself


def talk_of(game, seat):
    flat = TALKING.observations.observe(game.view(seat))
    return TALKING.observations.split(flat)["talk"], TALKING.observations.fields[-1].parts


def test_an_observation_shows_the_last_words_of_each_dwarf():
    game = played(reader(), "vouch:1", "map:0", "claim:0:stone", "accuse:0")
    for seat in range(3):
        talk, parts = talk_of(game, seat)
        shown = {
            ((row + seat) % 3, parts[column]): int(talk[row, column])
            for row, column in zip(*np.nonzero(talk), strict=True)
        }
        assert shown == {
            (0, "last claimed that goal 0 is a stone"): 1,
            (0, f"of the dwarf {(1 - seat) % 3} seats on: 1 vouched for, -1 accused"): 1,
            (1, f"of the dwarf {(0 - seat) % 3} seats on: 1 vouched for, -1 accused"): -1,
            (0, "accusations and vouchers left in this round"): 2,
            (1, "accusations and vouchers left in this round"): 2,
            (2, "accusations and vouchers left in this round"): 3,
        }


def test_the_record_shows_words_with_their_speaker_and_target():
    game = played(reader(), "accuse:2", "map:1", "claim:1:treasure")
    events = TALKING.observations.split(TALKING.observations.observe(game.view(1)))["events"]
    # seat + 1, move + 1, card, tool, column, row, target + 1; seat 0 is two seats on from seat 1
    assert events[:3].tolist() == [[3, 11, 1, 0, 0, 0, 2], [3, 5, 0, 0, 0, 0, 2], [3, 12, 0, 0, 0, 0, 2]]


def test_a_claim_to_be_made_shows_its_goal():
    game = played(reader(), "map:2")
    table = TALKING.observations.split(TALKING.observations.observe(game.view(0)))["table"]
    parts = next(field for field in TALKING.observations.fields if field.name == "table").parts
    shown = {parts[i] for i in np.flatnonzero(table) if parts[i].startswith(("choice", "goal"))}
    assert shown == {"choice: none", "goal 2 to choose"}


def test_what_knows_no_words_sees_the_same_table_without_them():
    game = played(reader(), "map:2", "claim:2:stone")
    whole = TALKING.observations.observe(game.view(1))
    assert Observations(history=16).observe(game.view(1)).tolist() == whole[: SILENT.observations.bytes].tolist()


@pytest.mark.parametrize("window", ["small", "full"])
def test_the_environment_masks_words(window):
    table = env(players=4, rounds=1, options=TALK, window=window)
    table.reset(seed=2)
    rng, said = np.random.default_rng(0), 0
    for agent in table.agent_iter():
        observation, _, terminated, _, _ = table.last()
        if terminated:
            table.step(None)
            continue
        legal = np.flatnonzero(observation["action_mask"])
        words = legal[legal >= Actions(window).count]
        action = rng.choice(words if len(words) and rng.random() < 0.5 else legal)
        said += action in words
        table.step(int(action))
        assert agent
    assert said >= 6


@pytest.mark.parametrize("legal", ["actions", "moves"])
def test_a_batch_that_talks_plays_the_checked_games(legal):
    unseen = {"mask": None, "observations": False} if legal == "moves" else {}
    vec = make_vec(8, range(3, 11), seed=6, legal=legal, options=TALK, rounds=1, window="full", **unseen)
    games = [Game(int(vec.players[i]), "lv", game_seed(6, i), 1, TALK) for i in range(8)]
    for step in range(60):
        chosen = vec.sample(step)
        for i, game in enumerate(games):
            listed = [vec.text(i, number) for number in vec.legal[i, : vec.legal_count[i]]]
            assert sorted(listed) == game.legal_moves()
            game.play(vec.text(i, chosen[i]))
        vec.step(chosen)
        assert all(vec.records[i].tobytes() == game.records[0].tobytes() for i, game in enumerate(games))
