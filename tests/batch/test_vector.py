"""The batch against the single game: the same records, bit for bit, whatever its size and threads."""

import os
import pickle
import signal

import numpy as np
import pytest

from saboteur_env import Game, game_seed, make_vec
from saboteur_env.batch.row_length import open_sides, row_length
from saboteur_env.batch.threads import Threads
from saboteur_env.core.compiled.memory import LINE
from saboteur_env.engine.moves import LAY
from saboteur_env.engine.state import WINNERS
from saboteur_env.environment.actions import Actions
from saboteur_env.environment.settings import Settings
from tests.long.batch_check import check_table

STEPS = 260  # more than the 201 turns of a match of three rounds


def twin(vec, index, seed, episode=0):
    """The checked game that a game of a batch must be."""
    return Game(int(vec.players[index]), vec.settings.edition, game_seed(seed, index, episode), vec.settings.rounds)


@pytest.mark.parametrize("edition", ["lv", "uk", "fa"])
def test_every_game_is_the_checked_game_of_its_seed(edition):
    vec = make_vec(8, players=range(3, 11), seed=3, edition=edition, threads=2, window="full", mask=None)
    twins = [twin(vec, i, 3) for i in range(8)]
    for step in range(STEPS):
        actions = vec.sample(step)
        for i, game in enumerate(twins):
            assert vec.game(i) == game
            assert sorted(vec.text(i, action) for action in listed(vec, i)) == game.legal_moves()
            game.play(vec.text(i, actions[i]))
        vec.step(actions)
        twins = [follow(vec, i, game) for i, game in enumerate(twins)]


@pytest.mark.parametrize("form", [{"legal": "moves", "window": "printed"}, {"window": "full"}])
def test_a_place_in_the_legal_set_is_a_choice_too(form):
    vec = make_vec(8, players=range(3, 11), seed=4, threads=2, mask=None, observations=False, **form)
    twins = [twin(vec, i, 4) for i in range(8)]
    for step in range(STEPS):
        indices = vec.sample_indices(step)
        for i, game in enumerate(twins):
            assert vec.game(i) == game
            texts = [vec.text(i, number) for number in listed(vec, i)]
            assert sorted(texts) == game.legal_moves()  # of the whole board
            assert vec.text(i, vec.sample(step)[i]) == texts[indices[i]]
            game.play(texts[indices[i]])
        vec.take(indices) if step % 2 else vec.step(vec.sample(step))
        twins = [follow(vec, i, game, 4) for i, game in enumerate(twins)]
    assert vec.episode.min() > 0


def listed(vec, i):
    return vec.legal[i, : vec.legal_count[i]]


def follow(vec, i, game, seed=3):
    """The twin after the same step: its next round, or the next episode's match."""
    assert (vec.round_over[i], vec.ended[i]) == (game.round_over, game.over)
    assert WINNERS[vec.winner[i]] == (game.winner if game.round_over else None)
    if game.over:
        assert vec.nuggets[i, : game.rules.players].tolist() == game.nuggets
        return twin(vec, i, seed, int(vec.episode[i]))
    if game.round_over:
        game.next_round()
    return game


@pytest.mark.parametrize(("games", "threads"), [(1, 1), (3, 2), (16, 1), (16, 2)])
def test_results_do_not_depend_on_batch_size_and_threads(games, threads):
    vec, whole = (make_vec(size, seed=5, threads=t, history=4) for size, t in ((games, threads), (20, 1)))
    for step in range(120):
        for name in ("observation", "mask", "seat", "reward", "ended", "legal_count"):
            assert np.array_equal(getattr(vec, name), getattr(whole, name)[:games]), (step, name)
        actions = whole.sample(step)
        vec.step(actions[:games])
        whole.step(actions)


def test_masks_and_packed_masks_hold_the_legal_actions():
    plain, packed = make_vec(6, seed=1), make_vec(6, seed=1, mask="packed")
    for step in range(150):
        bits = np.unpackbits(packed.mask, axis=1, bitorder="little")[:, : Actions().count]
        assert np.array_equal(bits, plain.mask)
        for i in range(6):
            assert np.flatnonzero(plain.mask[i]).tolist() == sorted(listed(plain, i).tolist())
        actions = plain.sample(step)
        plain.step(actions)
        packed.step(actions)


def test_observations_are_those_of_the_views():
    vec = make_vec(5, players=[3, 5, 7, 9, 10], seed=2)
    for step in range(90):
        if step % 10 == 0:
            for i in range(5):
                view = vec.game(i).view(int(vec.seat[i]))
                assert np.array_equal(vec.observation[i], vec.settings.observations.observe(view))
        vec.step(vec.sample(step))


def test_a_reset_begins_anew():
    vec = make_vec(4, seed=9)
    first = vec.observation.copy()
    for step in range(250):
        vec.step(vec.sample(step))
    assert vec.episode.min() > 0
    vec.reset()
    assert np.array_equal(vec.observation, first)
    assert not vec.episode.any()
    vec.reset(seed=10)
    assert vec.game(3) == Game(players=5, seed=game_seed(10, 3))


def test_some_games_are_broken_off_and_the_others_go_on():
    vec, whole = make_vec(3, seed=9), make_vec(3, seed=9)
    for step in range(40):
        vec.step(vec.sample(step))
        whole.step(whole.sample(step))
    vec.begin([-1, 4, -1])
    assert vec.game(1) == Game(players=5, seed=game_seed(9, 1, 4))
    assert vec.episode.tolist() == [0, 4, 0]
    for i in (0, 2):
        assert vec.game(i) == whole.game(i)
        assert np.array_equal(vec.mask[i], whole.mask[i])
    assert np.flatnonzero(vec.mask[1]).tolist() == sorted(listed(vec, 1).tolist())
    with pytest.raises(ValueError, match="episodes must be 3 whole numbers"):
        vec.begin([1])


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ([0, 0], "4 whole numbers"),
        (np.zeros(4), "4 whole numbers"),
        ([-1, 0, 10**6, 0], r"0 \(action -1\).*2 \(action 1000000\)"),
    ],
)
def test_actions_that_are_not_legal_are_named_and_nothing_moves(actions, said):
    vec = make_vec(4, seed=9, mask=None)
    before = [vec.game(i) for i in range(4)]
    with pytest.raises(ValueError, match=said):
        vec.step(actions)
    assert [vec.game(i) for i in range(4)] == before


@pytest.mark.parametrize("legal", ["actions", "moves"])
@pytest.mark.parametrize(
    ("indices", "said"),
    [
        ([0, 0], "indices must be 4 whole numbers"),
        (np.zeros(4), "indices must be 4 whole numbers"),
        ([0, -1, 0, 10**6], r"the indices of these games are not legal.*: 1 \(index -1\), 3 \(index 1000000\)"),
    ],
)
def test_places_beyond_the_legal_set_are_named_and_nothing_moves(legal, indices, said):
    vec = make_vec(4, seed=9, mask=None, legal=legal)
    before = vec.records.tobytes(), vec.legal.tobytes(), vec.observation.tobytes()
    with pytest.raises(ValueError, match=said):
        vec.take(indices)
    with pytest.raises(ValueError, match=rf"3 \(index {vec.legal_count[3]}\)"):
        vec.take([0, 0, 0, vec.legal_count[3]])
    assert (vec.records.tobytes(), vec.legal.tobytes(), vec.observation.tobytes()) == before


def test_moves_that_are_not_legal_are_named_and_nothing_moves():
    vec = make_vec(4, seed=9, mask=None, legal="moves")
    before = vec.records.tobytes()
    moves = vec.legal[:, 0].astype(np.int64)
    moves[2] += 1 << 32
    with pytest.raises(ValueError, match=rf"the moves of these games .*: 2 \(move {moves[2]}\)"):
        vec.step(moves)
    assert vec.records.tobytes() == before


DECKS = [{"NESW": 9, "NES": 9, "map": 12}, {"xNESW": 9, "NESW": 9, "rockfall": 12}, {"EW": 20, "map": 10}]


@pytest.mark.parametrize("placement", ["connected", "touching"])
@pytest.mark.parametrize("deck", DECKS)
def test_a_row_has_room_for_all_legal_moves(deck, placement):
    vec = make_vec(64, seed=1, mask=None, legal="moves", options={"deck": deck, "placement": placement})
    sides = open_sides(vec.settings.rules)
    for step in range(120):
        lays = (vec.legal >> 17 == LAY) & (np.arange(vec.legal.shape[1]) < vec.legal_count[:, None])
        cells = [len(set((vec.legal[i, lays[i]] & 4095).tolist())) for i in range(64)]
        assert max(cells) <= sides
        assert vec.legal_count.max() < vec.legal.shape[1]
        vec.take(vec.sample_indices(step))


@pytest.mark.parametrize(
    ("form", "dtype"),
    [({"window": "large"}, "int16"), ({"window": "full"}, "int32"), ({"mask": None, "legal": "moves"}, "int32")],
)
def test_what_is_listed_has_the_smallest_numbers_that_fit(form, dtype):
    vec = make_vec(4, seed=9, threads=2, **form)
    assert vec.legal.dtype == dtype and vec.legal.shape[0] == 4
    for step in range(30):
        vec.step(vec.sample(step))
        for i, game in enumerate(map(vec.game, range(4))):
            assert sorted(vec.text(i, number) for number in listed(vec, i)) == game.legal_moves()
            if vec.mask is not None:
                assert sorted(listed(vec, i)) == np.flatnonzero(vec.mask[i]).tolist()


def test_rows_and_games_begin_where_cache_lines_do():
    vec = make_vec(3, seed=1)
    for array in (vec.legal, vec.records):
        assert {array[i : i + 1].ctypes.data % LINE for i in range(3)} == {0}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"num_games": 0}, "num_games"),
        ({"num_games": 3, "players": [3, 4]}, "one for each of 3 games"),
        ({"num_games": 3, "players": 11}, "players"),
        ({"num_games": 3, "mask": "bool"}, "mask must be one of"),
        ({"num_games": 3, "legal": "cards"}, "legal must be one of"),
        ({"num_games": 3, "legal": "moves"}, "pass mask=None"),
        ({"num_games": 3, "seed": -1}, "seed"),
        ({"num_games": 3, "window": "tiny"}, "window"),
        ({"num_games": 3, "settings": Settings(), "rounds": 1}, "not both: rounds"),
    ],
)
def test_impossible_settings_are_refused(settings, said):
    with pytest.raises(ValueError, match=said):
        make_vec(**settings)


@pytest.mark.parametrize("number", [0, 6, 27, 38, 104, 178])
def test_tables_of_the_batch_check(number):
    assert check_table(number, steps=120) > 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own():
    vec = make_vec(4, seed=9, threads=2)
    vec.step(vec.sample(0))
    child = os.fork()
    if child == 0:
        try:
            signal.alarm(20)  # ends a process that waits for threads it has not got
            vec.step(vec.sample(1))
            os._exit(17)
        finally:  # no second test run goes on from here
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 17


@pytest.mark.parametrize("form", [{}, {"mask": None, "observations": False}, {"shaping": "public"}])
def test_threads_that_share_many_games_play_as_one_does(form):
    vec, other = (make_vec(300, seed=9, threads=threads, rounds=1, **form) for threads in (3, 1))
    for step in range(100):
        for one in (vec, other):
            one.step(one.sample(step))
        assert vec.records.tobytes() == other.records.tobytes()
        assert np.array_equal(vec.reward, other.reward) and np.array_equal(vec.legal, other.legal)
        for one, same in ((vec.observation, other.observation), (vec.mask, other.mask)):
            assert one is same is None or np.array_equal(one, same)
    assert vec.episode.max() > 0
    vec.close()


def test_an_error_in_one_thread_waits_for_the_others_and_a_copy_has_threads_of_its_own():
    ended, threads = [], pickle.loads(pickle.dumps(Threads(3)))

    def work(number):
        if number == 1:
            raise ValueError("thread 1")
        ended.append(number)

    for _ in range(2):
        with pytest.raises(ValueError, match="thread 1"):
            threads.run(work)
        threads.close()
    assert sorted(ended) == [0, 0, 2, 2]


def test_a_closed_batch_starts_its_threads_again():
    vec, other = (make_vec(4, seed=9, threads=threads) for threads in (2, 1))
    for step in range(3):
        for one in (vec, other):
            one.step(one.sample(step))
        vec.close()
    assert np.array_equal(vec.observation, other.observation)


@pytest.mark.parametrize("mask", ["int8", "packed"])
def test_a_batch_goes_on_from_its_records_with_the_masks_of_then(mask):
    vec = make_vec(6, 5, 3, mask=mask)
    kept = []
    for step in range(40):
        if step == 10:
            kept = [array.copy() for array in (vec.records, vec.results, vec.mask, vec.observation)]
        vec.step(vec.sample(step))
    vec.restore(kept[0], kept[1])
    assert np.array_equal(vec.mask, kept[2])
    assert np.array_equal(vec.observation, kept[3])


@pytest.mark.parametrize("players", [3, 5, 10])
@pytest.mark.parametrize(("edition", "sides"), [("lv", 25), ("ru", 42)])
def test_a_row_is_as_short_as_its_proof_allows(edition, sides, players):
    # lv: 4 sides of the start, 20 of T and crosses, 2 of the treasure; less 1 of a T in hand. ru: 4 more of dead ends,
    # 6 of stones and 12 around rocks instead of 2; less 3. All cards of a hand lie in one way, or in two (NES and
    # xNES); but a rockfall has 40 targets. A discard for each card.
    hand = {3: 6, 5: 6, 10: 4}[players]
    most = max(sides * (2 + 2 + hand - 2), sides * (2 + 2 + hand - 3) + 40) + hand
    assert most <= row_length(Settings(players=players, edition=edition).rules) <= most + 16
