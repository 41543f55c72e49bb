"""The vector environment as Gymnasium's own: autoreset modes, truncation, pictures, and its wrappers around it."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit
from gymnasium.wrappers.vector import (
    ClipReward,
    DictInfoToList,
    DtypeObservation,
    FlattenObservation,
    NormalizeObservation,
    NormalizeReward,
    RecordEpisodeStatistics,
    RecordVideo,
)

from saboteur_env.single_agent.gym_env import SingleAgentEnv
from saboteur_env.single_agent.gym_vec import GymVec
from tests.single_agent.test_gym_vec import SOLO, choose

MODES = [*AutoresetMode]
SMALL = {"players": 3, "rounds": 1, "window": "printed", "history": 2}


def restart(mode, over):
    """The options of the reset that somebody has to ask for after a step; None where nobody has to."""
    return {"reset_mask": over} if mode == AutoresetMode.DISABLED and over.any() else None


@pytest.mark.parametrize("limit", [None, 5])
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
def test_a_vector_of_one_is_gymnasiums_own_around_the_single_seat(mode, limit):
    def single():
        env = SingleAgentEnv(render_mode="ansi", **SMALL)
        return TimeLimit(env, limit) if limit else env

    ours = gymnasium.make_vec(
        SOLO, num_envs=1, autoreset_mode=mode, max_episode_steps=limit, render_mode="ansi", **SMALL
    )
    theirs = SyncVectorEnv([single], autoreset_mode=mode)
    assert ours.metadata == theirs.metadata
    assert data_equivalence(ours.reset(seed=8), theirs.reset(seed=8), exact=True)
    ends = 0
    for step in range(60):
        if step == 40:  # in the middle of a match
            assert data_equivalence(ours.reset(), theirs.reset(), exact=True)
        actions = choose(ours, step)
        here, there = ours.step(actions), theirs.step(actions)
        assert data_equivalence(here, there, exact=True)
        assert here[3].any() or ours.render() == theirs.render()
        over = here[2] | here[3]
        ends += here[3 if limit else 2].sum()
        if options := restart(mode, over):
            assert data_equivalence(ours.reset(options=options), theirs.reset(options={**options}), exact=True)
    assert ends > 2


def matches(mode, limit):
    """What the learner of each game saw, did and got until four matches were over, in this mode."""
    env = GymVec(3, autoreset_mode=mode.value, max_episode_steps=limit, **SMALL)
    seen, infos = env.reset(seed=3)
    stories, waiting = [[] for _ in range(3)], np.zeros(3, bool)
    while min(sum(part[2] for part in story) for story in stories) < 4:
        actions = np.where(waiting, -1, infos["action_mask"].argmax(1)) if not waiting.all() else np.full(3, -1)
        following, reward, terminated, truncated, infos = env.step(actions)
        over = terminated | truncated
        for i in np.flatnonzero(~waiting):
            stories[i].append((seen[i].tobytes(), actions[i], bool(over[i]), reward[i]))
        waiting = over & (mode == AutoresetMode.NEXT_STEP)
        seen = following
        if options := restart(mode, over):
            untouched = seen[~over].copy()
            seen, infos = env.reset(options=options)
            assert np.array_equal(seen[~over], untouched)
    return [story[: [i for i, part in enumerate(story) if part[2]][3] + 1] for story in stories]


@pytest.mark.parametrize("limit", [None, 6])
def test_the_same_matches_are_played_in_every_mode(limit):
    same, following, disabled = (matches(mode, limit) for mode in (AutoresetMode.SAME_STEP, *MODES[:1], MODES[2]))
    assert MODES[0] == AutoresetMode.NEXT_STEP
    assert same == following == disabled


def test_a_match_that_is_cut_short_reveals_nothing_and_keeps_its_mask():
    env = GymVec(4, max_episode_steps=2, shaping="public", **SMALL)
    env.reset(seed=1)
    env.step(choose(env, 0))
    _, _, terminated, truncated, infos = env.step(choose(env, 1))
    assert truncated.all() and not terminated.any()
    how = infos["final_info"]
    assert how["action_mask"].any(1).all()
    assert not how["winner"].any() and (how["roles"] == -1).all()
    assert env.games.vec.episode.tolist() == [1] * 4


def test_resets_are_left_to_the_user_where_they_are_disabled():
    env = GymVec(3, autoreset_mode="Disabled", max_episode_steps=1, **SMALL)
    env.reset(seed=1)
    env.step(choose(env, 0))
    with pytest.raises(RuntimeError, match=r"over: 0, 1, 2; call reset"):
        env.step(choose(env, 1))
    env.reset(options={"reset_mask": np.array([True, False, True])})
    with pytest.raises(RuntimeError, match="over: 1;"):
        env.step(choose(env, 1))
    env.reset()
    env.step(choose(env, 1))


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        ({"options": {"reset_mask": np.zeros(2, bool)}}, "at least one game"),
        ({"options": {"reset_mask": [1, 0]}}, "reset_mask must be bool"),
        ({"options": {"reset_mask": np.array([True, False])}, "seed": 3}, "a seed is for all games"),
        ({"options": {"mask": 1}}, "takes no options"),
    ],
)
def test_bad_masks_of_a_reset_are_refused(keywords, said):
    env = GymVec(2, **SMALL)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=said):
        env.reset(**keywords)


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        ({"autoreset_mode": "later"}, "one of NextStep, SameStep, Disabled, not 'later'"),
        ({"render_mode": "human"}, "render_mode must be one of"),
        ({"max_episode_steps": 0}, "max_episode_steps must be a whole number from 1"),
    ],
)
def test_impossible_vectors_are_refused(keywords, said):
    with pytest.raises(ValueError, match=said):
        GymVec(2, **keywords)


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
def test_statistics_count_the_decisions_of_each_match(mode):
    env = RecordEpisodeStatistics(GymVec(4, autoreset_mode=mode, **SMALL))
    env.reset(seed=1)
    ended = 0
    for step in range(40):
        _, _, terminated, truncated, infos = env.step(choose(env, step))
        for i in np.flatnonzero(terminated):
            how = infos["final_info"] if mode == AutoresetMode.SAME_STEP else infos
            assert infos["episode"]["l"][i] == how["length"][i]
            assert abs(infos["episode"]["r"][i]) == 1
        ended += terminated.sum()
        if options := restart(mode, terminated | truncated):
            env.reset(options=options)
    assert ended > 4


@pytest.mark.parametrize(
    "wrapper",
    [NormalizeObservation, NormalizeReward, DtypeObservation, FlattenObservation, ClipReward, DictInfoToList],
)
def test_wrappers_of_gymnasium_around_it(wrapper):
    form = "dict" if wrapper is FlattenObservation else "flat"
    keywords = {DtypeObservation: {"dtype": np.float32}, ClipReward: {"max_reward": 0.5}}.get(wrapper, {})
    env = wrapper(GymVec(3, autoreset_mode="NextStep", form=form, **SMALL), **keywords)
    env.reset(seed=1)
    for step in range(25):
        observation, _, _, _, _ = env.step(choose(env, step))
    assert observation in env.observation_space


def test_videos_are_recorded(tmp_path):
    for library in ("moviepy", "resvg_py"):
        pytest.importorskip(library, reason="pictures and videos need it")
    env = GymVec(2, autoreset_mode="NextStep", max_episode_steps=2, render_mode="rgb_array", **SMALL)
    env = RecordVideo(env, str(tmp_path / "videos"), episode_trigger=lambda episode: episode == 0)
    env.reset(seed=1)
    for step in range(4):
        env.step(choose(env, step))
    env.close()
    assert [file.name for file in (tmp_path / "videos").glob("*.mp4")] == ["rl-video-episode-0.mp4"]
