"""The doors to Gymnasium: the batch with one learner in each game, and one seat of one game."""

import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import saboteur_env
from saboteur_env import Game, game_seed
from saboteur_env.environment.settings import Settings
from saboteur_env.single_agent.gym_env import SingleAgentEnv
from saboteur_env.single_agent.gym_vec import GymVec
from tests.twins.slow_columns import SlowColumns

SOLO = "saboteur_env/Solo-v0"


def choose(env, step):
    """A random legal action for each learner."""
    return env.unwrapped.games.vec.sample(step)


@pytest.mark.parametrize("players", [3, 5, 10])
def test_gymnasium_finds_no_fault(players):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(SOLO, players=players, illegal="penalty").unwrapped)


@pytest.mark.parametrize(
    ("players", "settings"),
    [
        ([3] * 12, Settings(window="large", rounds=1)),
        ([5, 3, 7, 10, 4], Settings(window="large", rounds=3, reward="nuggets", edition="uk", history=8)),
        ([3, 5, 4], Settings(window="large", rounds=2, shaping="treasure", gamma=0.9, history=0)),
    ],
)
def test_columns_are_single_games_played_slowly(players, settings):
    env, slow = GymVec(len(players), players, settings=settings), SlowColumns(players, 4, settings)
    observation, infos = env.reset(seed=4)
    paid_later = ends = 0
    for step in range(70):
        assert np.array_equal(observation, slow.observation)
        assert np.array_equal(infos["action_mask"], slow.mask)
        actions = choose(env, step)
        observation, reward, terminated, truncated, infos = env.step(actions)
        slow.step(actions)
        assert reward == pytest.approx(slow.reward)
        assert np.array_equal(terminated, slow.ended)
        assert not truncated.any()
        check_ends(infos, slow)
        paid_later += ((reward != 0) & ~terminated).sum()
        ends = max(ends, terminated.sum())
    assert paid_later if settings.rounds > 1 or settings.shaping else ends > 1


def check_ends(infos, slow):
    """The last observations and infos of the matches that ended are those of the reference."""
    assert ("final_obs" in infos) == slow.ended.any() == ("final_info" in infos)
    for i in np.flatnonzero(slow.ended):
        how = {name: column[i] for name, column in infos["final_info"].items()}
        assert np.array_equal(infos["final_obs"][i], slow.final[i])
        for name in ("action_mask", "role", "winner", "roles", "nuggets", "illegal"):
            assert np.array_equal(how[name], slow.how[i][name]), name
    if slow.ended.any():
        assert np.array_equal(infos["_final_obs"], slow.ended)
        assert np.array_equal(infos["_final_info"], slow.ended)


def test_the_vector_of_one_is_gymnasiums_own_around_the_single_seat():
    ours = gymnasium.make_vec(SOLO, num_envs=1, players=4, rounds=1)
    theirs = SyncVectorEnv([lambda: SingleAgentEnv(4, rounds=1)], autoreset_mode=AutoresetMode.SAME_STEP)
    assert isinstance(ours, GymVec)
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"]
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert data_equivalence(ours.reset(seed=8), theirs.reset(seed=8), exact=True)
    ends = 0
    for step in range(60):
        if step == 40:  # in the middle of a match
            assert data_equivalence(ours.reset(), theirs.reset(), exact=True)
        actions = choose(ours, step)
        here, there = ours.step(actions), theirs.step(actions)
        assert data_equivalence(here, there, exact=True)
        ends += here[2].sum()
    assert ends > 2


def test_what_is_returned_is_free_to_keep():
    env = GymVec(3)
    observation, infos = env.reset(seed=1)
    kept = [(observation, infos["action_mask"], env.action_masks())]
    copies = [tuple(map(np.copy, kept[0]))]
    for step in range(4):
        observation, reward, terminated, _, infos = env.step(choose(env, step))
        kept.append((observation, infos["action_mask"], env.action_masks(), reward, terminated))
        copies.append(tuple(map(np.copy, kept[-1])))
    for held, copied in zip(kept, copies, strict=True):
        assert all(map(np.array_equal, held, copied))
    assert not np.array_equal(kept[0][0], kept[1][0])


def test_the_same_seed_gives_the_same_games_and_a_reset_without_one_the_next():
    env, vec = SingleAgentEnv(), GymVec(3)
    first, _ = env.reset(seed=6)
    vec.reset(seed=6)
    second, _ = env.reset()
    assert not np.array_equal(first, second)
    assert np.array_equal(env.reset(seed=6)[0], first)
    assert np.array_equal(env.reset()[0], second)
    assert np.array_equal(vec.reset()[0][0], second)


def test_the_learner_of_game_i_sits_in_the_game_of_its_seed():
    env = GymVec(4, [3, 5, 8, 10])
    env.reset(seed=6)
    for i, count in enumerate([3, 5, 8, 10]):
        deal, seen = Game(count, seed=game_seed(6, i)), env.games.vec.game(i)
        assert seen.seat == 0
        assert seen.view(0).role == deal.view(0).role


def test_an_illegal_action_is_an_error_that_names_the_games_and_advances_none():
    env = GymVec(4)
    env.reset(seed=2)
    before = [env.games.vec.game(i) for i in range(4)]
    actions = choose(env, 0)
    for wrong, said in (
        (np.where([0, 1, 0, 1], -5, actions), r"not legal.*1 \(action -5\), 3 \(action -5\)"),
        (actions[:3], "actions must be 4 whole numbers"),
        (actions.astype(float), "actions must be 4 whole numbers, not float64"),
    ):
        with pytest.raises(ValueError, match=said):
            env.step(wrong)
    assert [env.games.vec.game(i) for i in range(4)] == before
    with pytest.raises(ValueError, match="actions must be 1 whole numbers"):
        SingleAgentEnv().step(0.5)


def test_a_penalised_action_costs_one_and_ends_that_match_alone():
    env, clean = (GymVec(3, illegal=illegal) for illegal in ("penalty", "raise"))
    seen, _ = env.reset(seed=2)
    clean.reset(seed=2)
    actions = choose(env, 0)
    following, *others = clean.step(actions)
    observation, reward, terminated, _, infos = env.step(np.where([0, 1, 0], 10**6, actions))
    assert reward.tolist() == [others[0][0], -1.0, others[0][2]]
    assert terminated.tolist() == [False, True, False]
    assert np.array_equal(observation[[0, 2]], following[[0, 2]])
    assert np.array_equal(infos["final_obs"][1], seen[1])
    assert infos["final_info"]["illegal"].tolist() == [False, True, False]
    assert infos["final_info"]["winner"][1] == 0
    assert env.games.vec.episode.tolist() == [0, 1, 0]
    clean.reset(seed=2)
    assert np.array_equal(clean.reset()[0][1], observation[1])


def test_a_penalty_is_that_of_the_aec_environment():
    solo = SingleAgentEnv(illegal="penalty")
    aec = saboteur_env.env(players=5, illegal="penalty")
    solo.reset(seed=2)
    aec.reset(seed=game_seed(2, 0))
    while aec.agent_selection != "dwarf_0":
        aec.step(int(np.flatnonzero(aec.last()[0]["action_mask"])[0]))
    aec.step(0)
    _, reward, terminated, truncated, info = aec.last()
    _, *ours, how = solo.step(0)
    assert ours == [reward, terminated, truncated]
    assert how["illegal"] is info["illegal"] is True
    for name in ("role", "winner", "roles", "nuggets"):
        assert np.array_equal(how[name], info[name]), name
    with pytest.raises(RuntimeError, match="call reset"):
        solo.step(0)


def test_the_match_after_a_penalty_is_the_next_even_where_another_step_would_have_ended_this_one():
    env, steps = GymVec(1, rounds=1, illegal="penalty", players=3), 0
    env.reset(seed=3)
    while not env.step(env.games.vec.legal[:, 0])[2].any():
        steps += 1
    env.reset(seed=3)
    for _ in range(steps):
        env.step(env.games.vec.legal[:, 0])
    assert env.step([-1])[2].all()
    assert env.games.vec.episode.tolist() == [1]


def test_a_pickle_goes_on_equally():
    env = GymVec(3, [3, 5, 9], threads=2)
    env.reset(seed=5)
    for step in range(9):
        env.step(choose(env, step))
    again = pickle.loads(pickle.dumps(env))
    assert again.games.vec.ended is not None
    for step in range(60):
        actions = choose(env, step)
        assert data_equivalence(env.step(actions), again.step(actions), exact=True)
    assert env.games.vec.episode.any()


def test_observations_by_fields():
    env = GymVec(2, rounds=1, form="dict")
    observation, _ = env.reset(seed=1)
    assert observation["mine"].shape[0] == 2
    for step in range(40):
        observation, _, terminated, _, infos = env.step(choose(env, step))
        assert observation in env.observation_space
        if terminated.any():
            break
    assert infos["final_obs"][terminated.argmax()] in env.single_observation_space


def test_opponents_sit_where_they_are_named():
    env = GymVec(2, [3, 4], opponents=["random", "scripted", "random"])
    assert env.games.vec.playing[:, :4].tolist() == [[0, -1, -2, -1]] * 2


def test_statistics_of_gymnasiums_wrapper():
    env = RecordEpisodeStatistics(GymVec(4, 3, rounds=1))
    env.reset(seed=1)
    for step in range(60):
        _, reward, terminated, _, infos = env.step(choose(env, step))
        if terminated.any():
            assert np.array_equal(infos["episode"]["r"][terminated], reward[terminated])
            break
    assert terminated.any()


def test_a_picture_shows_what_the_learner_may_know():
    env = gymnasium.make(SOLO, render_mode="ansi")
    env.reset(seed=1)
    assert "-S-" in env.render()
    with pytest.raises(RuntimeError, match="render_mode"):
        SingleAgentEnv().render()


@pytest.mark.parametrize("make", [SingleAgentEnv, GymVec])
def test_what_is_closed_says_so(make):
    env = make()
    env.reset(seed=1)
    env.close()
    env.close()
    with pytest.raises(RuntimeError, match="closed"):
        env.reset()
    with pytest.raises(RuntimeError, match="closed"):
        env.step(0)


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        ({"opponents": "grumpy"}, "no dwarf 'grumpy'"),
        ({"opponents": ["random"] * 3}, "one for each of the 4 seats, not 3"),
        ({"settings": Settings(), "rounds": 1}, "settings or keywords, not both: rounds"),
        ({"players": 11}, "players"),
        ({"shaping": "private"}, "shaping must be one of None, public, treasure"),
        ({"opponents": None}, "there is no opponent None; there are random, scripted"),
        ({"opponents": [None] * 4}, "there is no opponent None; there are random"),
        ({"settings": 3}, "settings must be a Settings"),
        ({"reward_fn": "mine"}, "reward_fn must be a function of the batch, not 'mine'"),
        ({"illegal": "ignore"}, "illegal must be one of raise, penalty"),
    ],
)
def test_impossible_settings_are_refused(keywords, said):
    for make in (SingleAgentEnv, GymVec):
        with pytest.raises(ValueError, match=said):
            make(**keywords)


def test_bad_resets_are_refused_and_change_nothing():
    env = SingleAgentEnv(players=3)
    first, _ = env.reset(seed=1)
    refused = ({"seed": -1}, "a seed is"), ({"seed": True}, "a seed is"), ({"seed": 1.0}, "a seed is")
    for keywords, said in (*refused, ({"options": {"roles": ["miner"] * 3}}, "takes no options")):
        before = env.games.vec.game(0), env.games.vec.seed
        with pytest.raises(ValueError, match=said):
            env.reset(**keywords)
        assert (env.games.vec.game(0), env.games.vec.seed) == before
    assert np.array_equal(env.games.observation[0], first)


@pytest.mark.parametrize("threads", [-1, 0, 1.5, True])
def test_threads_are_counted(threads):
    for make in (GymVec, saboteur_env.make_vec):
        with pytest.raises(ValueError, match="threads must be a whole number from 1, not"):
            make(4, threads=threads)


def test_a_spec_in_json_makes_the_same_environment_again():
    settings = Settings(players=3, rounds=np.int8(1), gamma=np.float32(0.5), options={"draft": True})
    made = gymnasium.make(SOLO, settings=settings)
    again = gymnasium.make(EnvSpec.from_json(made.spec.to_json()))
    assert again.unwrapped.games.settings == settings
    assert np.array_equal(again.reset(seed=3)[0], made.reset(seed=3)[0])
