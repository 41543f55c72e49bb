"""Games of other installed libraries, played as fast as their interfaces allow; see cases.py."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from random import random
from typing import Any

import numpy as np
import numpy.typing as npt

from .cases import STATE_ONLY, WITH_OBSERVATIONS, Case, Play, ours, play_aec

HIDDEN_ROLES = "social_deduction"  # OpenSpiel's game of hidden roles


def everyone(players: int = 5) -> list[Case]:
    """The cases of this library for a number of players, then those of the other libraries."""
    return [*ours(players), *_open_spiel(), *_pettingzoo(), *_rlcard(), *_pgx(), *_envpool()]


def _pettingzoo() -> Iterator[Case]:
    for module, game, options in (
        ("connect_four_v3", "Connect Four", {}),
        ("texas_holdem_no_limit_v6", "no-limit Texas hold'em", {}),
        ("hanabi_v5", "Hanabi, 5 players", {"players": 5, "hand_size": 4}),
    ):
        yield Case(
            key=f"PettingZoo {module}",
            library="PettingZoo",
            game=game,
            door=f"{module}.env",
            view=WITH_OBSERVATIONS,
            counted="last(), step(), with its wrappers; observation and int8 mask",
            prepare=partial(_classic, module, options),
        )


def _classic(module: str, options: Mapping[str, Any], size: int) -> Play:
    from importlib import import_module

    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    return play_aec(partial(import_module(f"pettingzoo.classic.{module}").env, **options), size)


def _open_spiel() -> Iterator[Case]:
    calls = "legal_actions(), apply_action()"
    looks = {
        None: (STATE_ONLY, calls),
        "NumPy": (WITH_OBSERVATIONS, f"{calls}; observation in a NumPy buffer, mask as a list"),
        "lists": (WITH_OBSERVATIONS, f"{calls}; observation and mask as lists"),
        "texts": (WITH_OBSERVATIONS, f"{calls}; observation as a text, mask as a list"),
    }
    for name, game, options in (
        ("hanabi", "Hanabi, 5 players", {"players": 5}),
        ("connect_four", "Connect Four", {}),
        ("hearts", "Hearts, 4 players", {}),
        (HIDDEN_ROLES, "Social Deduction, 5 players, hidden roles", {"players": 5}),
    ):
        for look, (view, counted) in looks.items():
            if look and (look == "texts") != (name == HIDDEN_ROLES):
                continue  # that game shows itself in texts alone
            key, door = (f"OpenSpiel {name} {look}", f"loop, {look}") if look else (f"OpenSpiel {name}", "loop")
            yield Case(key, "OpenSpiel", game, door, view, counted, partial(_spiel, name, options, look))


def _spiel(name: str, options: Mapping[str, Any], look: str | None, _size: int) -> Play:
    import pyspiel

    game = pyspiel.load_game(name, options)
    observe = _observer(game, look) if look else None
    state = _after_chance(game.new_initial_state())

    def play(decisions: int) -> int:
        nonlocal state
        for _ in range(decisions):
            if observe:
                observe(state, state.current_player())
                state.legal_actions_mask()
            legal = state.legal_actions()
            state.apply_action(legal[int(random() * len(legal))])
            if _after_chance(state).is_terminal():
                state = _after_chance(game.new_initial_state())
        return decisions

    return play


def _observer(game: Any, look: str) -> Callable[[Any, int], object]:
    # Hearts has no observation tensor, only that of the whole information state.
    import pyspiel
    from open_spiel.python.observation import make_observation

    whole = not game.get_type().provides_observation_tensor
    if look == "texts":
        return pyspiel.State.observation_string
    if look == "NumPy":
        return make_observation(game, pyspiel.IIGObservationType(perfect_recall=True) if whole else None).set_from
    return pyspiel.State.information_state_tensor if whole else pyspiel.State.observation_tensor


def _after_chance(state: Any) -> Any:
    while state.is_chance_node():
        state.apply_action(drawn(state.chance_outcomes()))
    return state


def drawn(outcomes: list[tuple[int, float]]) -> int:
    """One of the outcomes (action, probability) of chance; faster than pyspiel.sample_action, which copies them."""
    left = random()
    for action, probability in outcomes:
        left -= probability
        if left < 0:
            return action
    return outcomes[-1][0]


def _rlcard() -> Iterator[Case]:
    for name, game in (
        ("leduc-holdem", "Leduc hold'em"),
        ("uno", "Uno"),
        ("no-limit-holdem", "no-limit Texas hold'em"),
    ):
        counted = "step(); observation as an array, legal actions as a dict"
        yield Case(f"RLCard {name}", "RLCard", game, "loop", WITH_OBSERVATIONS, counted, partial(_cards, name))


def _cards(name: str, _size: int) -> Play:
    import rlcard

    env = rlcard.make(name, config={"seed": 0})
    state, _ = env.reset()

    def play(decisions: int) -> int:
        nonlocal state
        for _ in range(decisions):
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(random() * len(legal))])
            if env.is_over():
                state, _ = env.reset()
        return decisions

    return play


PGX_CALL = 16_384  # decisions of one compiled call: its overhead is spread thin at every batch size


def _pgx() -> Iterator[Case]:
    calls = "auto_reset, vmap, jit"
    for name, game, view, draw, counted in (
        ("hex", "Hex", STATE_ONLY, _place, f"{calls}; no observation"),
        ("hex", "Hex", WITH_OBSERVATIONS, _place, f"{calls}; bool observation and mask"),
        ("hex", "Hex", WITH_OBSERVATIONS, _categorical, "the same, moves drawn by jax.random.categorical"),
        ("connect_four", "Connect Four", STATE_ONLY, _place, f"{calls}; no observation"),
        ("connect_four", "Connect Four", WITH_OBSERVATIONS, _place, f"{calls}; bool observation and mask"),
    ):
        key, door = (f"Pgx {name}", "scan") if draw is _place else (f"Pgx {name} categorical", "scan, categorical")
        prepare, sizes = partial(_scan, name, view, draw), (64, 256, 1024, 4096)
        yield Case(key, "Pgx", game, door, view, counted, prepare, sizes)


def _place(key: Any, mask: Any) -> Any:
    # One random number picks a place among the legal actions.
    import jax
    import jax.numpy as jnp

    index = (jax.random.uniform(key, mask.shape[:1]) * mask.sum(-1)).astype(jnp.int32)
    return (jnp.cumsum(mask, -1) > index[:, None]).argmax(-1)


def _categorical(key: Any, mask: Any) -> Any:
    import jax
    import jax.numpy as jnp

    return jax.random.categorical(key, jnp.log(mask.astype(jnp.float32)), axis=-1)


def _scan(name: str, view: str, draw: Callable[[Any, Any], Any], size: int) -> Play:
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))
    steps = max(1, PGX_CALL // size)

    def advance(carry: Any, _: None) -> Any:
        state, key = carry
        key, chosen, chance = jax.random.split(key, 3)
        after = step(state, draw(chosen, state.legal_action_mask), jax.random.split(chance, size))
        # An observation that nobody takes is never computed.
        return (after if view == WITH_OBSERVATIONS else after.replace(observation=state.observation), key), None

    run = jax.jit(lambda carry: jax.lax.scan(advance, carry, None, length=steps)[0], donate_argnums=0)
    key = jax.random.PRNGKey(0)
    carry = jax.jit(jax.vmap(env.init))(jax.random.split(key, size)), key

    def play(decisions: int) -> int:
        nonlocal carry
        calls = -(-decisions // (size * steps))
        for _ in range(calls):
            carry = run(carry)
        jax.block_until_ready(carry)
        return calls * size * steps

    return play


def _envpool() -> Iterator[Case]:
    for name, game in (("Hex-v1", "Hex"), ("ConnectFour-v1", "Connect Four"), ("LeducHoldem-v1", "Leduc hold'em")):
        counted = "step(), one worker thread; observations of all players, bool mask"
        prepare, sizes = partial(_pool, name), (16, 64, 256, 1024)
        yield Case(f"EnvPool {name}", "EnvPool", game, "batch", WITH_OBSERVATIONS, counted, prepare, sizes)


def _pool(name: str, size: int) -> Play:
    import envpool

    env = envpool.make(name, env_type="gymnasium", num_envs=size, num_threads=1)
    rng = np.random.default_rng(0)
    _, info = env.reset()
    over = np.zeros(size, bool)

    def play(decisions: int) -> int:
        nonlocal info, over
        result = 0
        while result < decisions:
            result += size - int(over.sum())  # the step after an end only resets
            _, _, terminated, truncated, info = env.step(places(rng, info["legal_action_mask"]))
            over = terminated | truncated
        return result

    return play


def places(rng: np.random.Generator, mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
    """A random legal action for each row of a mask [n, actions]: int32[n]."""
    index = (rng.random(len(mask)) * mask.sum(1)).astype(np.int64)
    return (mask.cumsum(1) > index[:, None]).argmax(1).astype(np.int32)
