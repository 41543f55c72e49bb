"""The dwarf that searches: the same for the same seed, blind to what its seat cannot know, and no fool."""

from time import perf_counter, thread_time

import numpy as np
import pytest

from saboteur_env import Game
from saboteur_env.agents.base import Agent
from saboteur_env.agents.beliefs.filter import Belief
from saboteur_env.agents.beliefs.script_model import doubting_or_learned
from saboteur_env.agents.matches.matchups import Matchup, play_match
from saboteur_env.agents.matches.search_matches import play_searched
from saboteur_env.agents.registry import make_agent
from saboteur_env.agents.search.determinization import sample_determinization
from saboteur_env.agents.search.ismcts import Search, Settings
from saboteur_env.agents.search.sequential_halving import phases, prepare, run, select_arms
from saboteur_env.agents.search.tree import OPPONENTS, try_arm
from saboteur_env.core.prng import key
from saboteur_env.engine.cards import MINER, SABOTEUR
from saboteur_env.engine.editions import Rules
from saboteur_env.engine.moves import hidden, text_of
from saboteur_env.engine.play import play_unchecked
from saboteur_env.engine.state import InfoState
from tests.support.positions import position

FACES = ("stone:NE", "treasure", "stone:NW")
FEW = "iterations=60:rollout_depth=2"
NEARLY_THERE = """
 . . . . . . . . ?

 . . . . . . . . .
 | | |
-S-o-o-o-o-o-o-. ?
 |     | |
 . . . . . . . . .

 . . . . . . . . ?
"""
NO_USE = ["xEW", "xNE", "map", "break:cart", "rockfall", "xN"]


def nearly_there(hand, role, **more):
    """One card is missing before the treasure, and seat 0, which is to play this hand, knows it."""
    roles = ["saboteur", "miner", "miner"] if role == "saboteur" else ["miner", "miner", "saboteur"]
    return position(NEARLY_THERE, [hand], roles=roles, faces=FACES, maps=[[1], [], []], **more)


def points(players=5, seed=3, every=7, rounds=2):
    """Views of seats to move, in matches of the scripted dwarf."""
    dwarf = make_agent("scripted")
    for match in range(rounds):
        game, turn = Game(players=players, seed=seed + match, rounds=1), 0
        while not game.round_over:
            if turn % every == 3:
                yield game
            game.play(dwarf.act(game.view(game.seat), turn))
            turn += 1


def test_the_same_seed_gives_the_same_move_whoever_grows_the_trees():
    alone, together = Search(f"{FEW}:trees=3"), Search(f"{FEW}:trees=3:threads=2")
    visits = set()
    assert isinstance(alone, Agent)
    for game in points():
        view = game.view(game.seat)
        assert alone.act(view, 5) == together.act(view, 5) == Search(f"{FEW}:trees=3").act(view, 5)
        assert alone.probabilities(view) == together.probabilities(view)
        assert alone.act(view, 5) in view.legal_moves()
        visits.add(tuple(alone.probabilities(view).values()))
    assert len(visits) > 3


def test_the_seed_and_the_number_of_trees_are_part_of_a_search():
    game = next(iter(points(every=10)))
    view = game.view(game.seat)

    def found(trees, seed):
        search = Search(f"iterations=200:trees={trees}")
        search.act(view, seed)
        return search._arms["won"].tolist()

    assert len({tuple(found(*which)) for which in [(1, 0), (2, 0), (1, 1)]}) == 3


def test_what_the_seat_cannot_know_changes_nothing():
    search = Search(FEW)
    for game in points():
        planted = game.copy()
        record, seat, others = planted.records[0], game.seat, [i for i in range(5) if i != game.seat]
        record.secret.face[:] = np.roll(record.secret.face, 1)
        roles, hands = record.private["role"].copy(), record.private["hand"].copy()
        for one, other in zip(others, others[1:] + others[:1], strict=True):
            record.private[one].role, record.private[one].hand[:] = roles[other], hands[other]
        assert planted.records.tobytes() != game.records.tobytes()
        view, same = game.view(seat), planted.view(seat)
        assert search.act(view, 1) == search.act(same, 1)
        assert search.probabilities(view) == search.probabilities(same)
        assert search.beliefs(view) == search.beliefs(same)


@pytest.mark.parametrize("others", OPPONENTS)
def test_another_seat_in_a_tree_moves_by_what_it_may_know(others):
    compared = 0
    for number, game in enumerate(points(rounds=4)):
        bench = Bench(game, Settings(iterations=60, rollout_depth=0, opponents=others, trees=1), number)
        other = (game.seat + 1) % 5
        answer = bench.answer()
        plant_beyond(bench.tree.world, other, game.seat)
        assert bench.answer() == answer
        compared += answer is not None
    assert compared > 10


class Bench:
    """A search taken apart: one tree, one world."""

    def __init__(self, game, settings, seed=0):
        self.seat, self.plan, self.searcher = game.seat, settings.plan(), settings.searcher()
        self.arms, self.belief, self.tree, self.nodes = (memory[0] for memory in self.searcher)
        record = game.records[0]
        self.known = InfoState(record.public, record.private[game.seat], game.seat)
        select_arms(self.arms, self.tree, self.known, settings.max_candidates, settings.iterations, self.plan)
        self.clear()
        sample_determinization(self.belief, self.known, self.tree.world, np.uint64(seed))

    def clear(self):
        prepare(self.searcher, self.known, self.plan)

    def answer(self):
        """What the next seat answers to the move that the scripted dwarf likes best; None where a goal is turned up."""
        self.clear()
        self.tree.game = self.tree.world
        before, move = int(self.known.public.event_count), int(self.arms.move[0])
        play_unchecked(self.tree.game, move)
        turned_up = self.tree.game.public.goal_face.tolist() != self.known.public.goal_face.tolist()
        self.tree.game = self.tree.world
        try_arm(self.tree, self.nodes, 0, move, self.plan, np.uint64(1))
        return None if turned_up else int(self.tree.game.public.events[before + 1])


def plant_beyond(world, seat, observer):
    """Change what `seat` cannot know: faces it has not read, and all that the others hold but the observer."""
    hidden_goals = [
        goal for goal in range(3) if not world.private[seat].face[goal] and not world.public.goal_face[goal]
    ]
    faces = world.secret.face.copy()
    for goal, other in zip(hidden_goals, hidden_goals[1:] + hidden_goals[:1], strict=True):
        world.secret.face[goal] = faces[other]
    one, two, *_ = (i for i in range(5) if i not in (seat, observer))
    first = world.private[one].copy()
    world.private[one] = world.private[two]
    world.private[two] = first


def test_a_node_counts_in_how_many_worlds_it_was_available():
    # Each world is gone through by hand: what the next seat could do there, as the observer sees it, and in which role.
    game = next(iter(points(every=12)))
    bench = Bench(game, Settings(iterations=60, rollout_depth=0, opponents="tree", trees=1))
    bench.arms.left, arm = 1, int(bench.arms.order[0])
    for world in range(60):
        before = dict(children(bench.nodes, -1 - arm))
        run(bench.searcher, 0, bench.known, (world, world + 1, 1), np.uint64(7), bench.plan)
        after = dict(children(bench.nodes, -1 - arm))
        made_up = Game.from_json(game.view(game.seat).resample(0).to_json())
        sample_determinization(bench.belief, bench.known, made_up.records[0], np.uint64(key(np.uint64(7), 0, world)))
        made_up.play(text_of(int(bench.arms.move[arm])))
        view = made_up.view(made_up.seat)
        possible = {hidden(int(number)) for number in view.legal_numbers()}
        for move, counts in after.items():
            old = before.get(move, ([0, 0], [0, 0]))[1]
            expected = [old[role] + (move in possible and role == view.private.role) for role in (MINER, SABOTEUR)]
            assert counts[1] == expected, text_of(move)
        assert set(after) - set(before) <= possible
    assert sum(sum(visits) for visits, _ in after.values()) == 60
    assert any(0 < available[0] + available[1] < 60 for _, available in after.values())


def children(nodes, parent):
    for node in nodes:
        if node.move and node.parent == parent:
            yield int(node.move), (node.visits.tolist(), node.available.tolist())


def test_a_full_tree_no_longer_grows_and_is_searched_on():
    game = next(iter(points()))
    bench = Bench(game, Settings(iterations=4000, rollout_depth=0, trees=1))
    nodes = bench.nodes[:64]
    few = bench.searcher._replace(nodes=nodes[None])
    run(few, 0, bench.known, (0, 100, 1), np.uint64(1), bench.plan)
    assert bench.tree.nodes == np.count_nonzero(nodes["move"]) == 48
    assert bench.tree.visits[: bench.arms.count].tolist() == [100] * int(bench.arms.count)


def test_memory_stays_within_what_is_said():
    searcher = Settings(iterations=10**9, trees=3).searcher()
    assert searcher.nodes.nbytes <= 3 * 2 << 20
    assert searcher.trees.nbytes <= 3 * 300_000
    assert sum(array.nbytes for array in searcher[:2]) <= 400_000


@pytest.mark.parametrize("iterations", [1, 2, 10, 97, 400])
def test_no_more_games_are_played_than_allowed(iterations):
    for game in points(every=9):
        search = Search(f"iterations={iterations}:rollout_depth=0")
        search.act(game.view(game.seat), 0)
        arms = search._arms
        assert search.played == arms.visits[: arms.count].sum() <= max(iterations, 2)
        assert arms.count == 1 or arms.visits[: arms.count].min() >= 1


@pytest.mark.parametrize(("arms", "halvings"), [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (33, 6)])
def test_a_race_is_halved_until_one_is_left(arms, halvings):
    assert phases(arms) == halvings


@pytest.mark.parametrize("others", OPPONENTS)
def test_a_miner_lays_the_card_that_reaches_the_treasure(others):
    game = nearly_there(["NEW", "xEW", "map", "NS", "break:cart", "rockfall"], "miner")
    game.play(Search(f"{FEW}:opponents={others}").act(game.view(0), 0))
    assert game.winner == "miners"


def test_a_saboteur_does_not():
    game = nearly_there(["NEW", "xEW", "map", "NS", "break:cart", "rockfall"], "saboteur")
    move = Search("iterations=300").act(game.view(0), 0)
    assert move.startswith(("xEW@7,0", "rockfall@", "break:cart:1", "break:cart:2"))


def test_a_miner_does_not_help_the_saboteurs():
    # No card leads on: it may throw one away or read a map, but neither block nor tear up the way.
    game = nearly_there(NO_USE, "miner")
    for seed in range(5):
        move = Search("iterations=300").act(game.view(0), seed)
        assert "@" not in move or (move.startswith("x") and not move.endswith("@7,0"))


def test_gold_is_taken_as_the_script_takes_it():
    game = nearly_there(["NESW"], "miner", options={"draft": True})
    game.play("NESW@7,0")
    while not game.round_over:
        best = max(int(move.split(":")[1]) for move in game.legal_moves())
        assert Search(FEW).act(game.view(game.seat), 0) == f"take:{best}"
        game.play(f"take:{best}")


def test_a_kernel_plays_whole_matches_as_the_checked_game_does():
    rules, seeds = Rules.make(4, rounds=2), np.arange(2, dtype=np.uint64)
    for role, name in enumerate(("miner", "saboteur")):
        played = play_searched(rules, seeds, Settings.read(FEW), role)
        for i, seed in enumerate(seeds.tolist()):
            again = play_match(rules, seed, Matchup("scripted", "scripted", f"search:{FEW}", name))[1]
            assert played[2 * i : 2 * i + 2].tobytes() == again.tobytes()


def test_a_team_takes_all_seats_of_a_role():
    rules, seed = Rules.make(5, rounds=1), 3
    (played,) = play_searched(rules, np.array([seed], np.uint64), Settings.read(FEW), MINER, team=True)
    (again,) = play_match(rules, seed, Matchup(f"search:{FEW}", "scripted"))[1]
    assert played.tobytes() == again.tobytes()


def test_time_bounds_a_search():
    game = next(iter(points()))
    view = game.view(game.seat)
    search = Search("time=0.05")
    search.act(view, 0)
    start, worked = perf_counter(), thread_time()
    assert search.act(view, 0) in view.legal_moves()
    assert perf_counter() - start > 0.04
    assert thread_time() - worked < 1  # of processor time, however busy the machine is


def test_values_are_of_the_moves_considered_and_the_best_one_is_played():
    search = Search("iterations=200:max_candidates=4")
    game = next(game for game in points() if len(game.legal_moves()) > 4)
    view = game.view(game.seat)
    values = search.values(view)
    assert len(values) == 4 and {*values} <= {*view.legal_moves()}
    assert all(0 <= value <= 1 for value in values.values())
    # The moves that were tried to the end decide: values of others are of fewer games.
    shares = search.probabilities(view)
    assert values[search.act(view, 0)] == max(values[move] for move in values if shares[move] == max(shares.values()))


def test_a_seat_may_follow_a_fitted_model_or_a_script():
    model = doubting_or_learned()
    search = Search(f"{FEW}:action_model=doubting+ppo-small")
    for game in points():
        view = game.view(game.seat)
        expected = [*Belief(model).of(view).saboteur]
        expected[game.seat] = None
        assert search.beliefs(view) == pytest.approx(expected)


def test_beliefs_are_those_of_the_games_made_up():
    for evidence in ("none", "fitted", "scripted"):
        search = Search(f"{FEW}:action_model={evidence}")
        for game in points():
            view = game.view(game.seat)
            beliefs = search.beliefs(view)
            assert beliefs[game.seat] is None
            others = [belief for belief in beliefs if belief is not None]
            assert all(0 <= belief <= 1 for belief in others)
            if evidence == "none":  # two saboteurs among six dwarfs, of whom one is known
                assert others == pytest.approx([(2 - view.private.role) / 5] * 4)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("depth=3", "no setting 'depth'; there are net, iterations, time"),
        ("iterations=many", "iterations must be a whole number, not 'many'"),
        ("iterations=0", "iterations must be 1 or more, not 0"),
        ("time=-1", "time must be 0 or more"),
        ("time=nan", "time must be 0 or more"),
        ("prior_visits=0", "prior_visits must be more than 0"),
        ("c_uct=inf", "c_uct must be 0 or more, not inf"),
        ("opponents=all", "opponents must be one of tree, script, open, not 'all'"),
        ("rollout=grumpy", "no dwarf 'grumpy'"),
        ("action_model=grumpy", "no dwarf 'grumpy'"),
        ("action_model=doubting+grumpy", "no dwarf 'grumpy'"),
        ("action_model=grumpy+doubting", "no dwarf 'grumpy.doubting'"),
        ("action_model=doubting+", "no dwarf ''"),
        ("max_candidates", "max_candidates must be a whole number, not ''"),
    ],
)
def test_bad_settings_are_refused(text, said):
    with pytest.raises(ValueError, match=said):
        make_agent(f"search:{text}")


def test_a_searcher_whose_turn_it_is_not_is_refused():
    game = Game(players=3, seed=1)
    with pytest.raises(ValueError, match="not to move"):
        Search(FEW).act(game.view((game.seat + 1) % 3), 0)
