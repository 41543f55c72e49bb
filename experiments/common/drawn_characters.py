"""Scripted dwarfs with parameters drawn at random around those of the family: a population of strangers to fit on."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from saboteur_env.agents.scripted.params import NEVER_FALLS, Dwarf, parameter_rows
from saboteur_env.agents.scripted.presets import CARELESS, LOYAL, LOYAL_FACADE, PATIENT_FACADE, STRIKE

SPREAD = 0.6  # standard deviation of the logarithm of a parameter
MISSING = 0.25  # share of parameters that are zero
TEMPERATURES = (0.0, 0.5, 1.0, 2.0, 4.0)
DRAWN_MINERS, DRAWN_FACADES = (LOYAL, CARELESS), (LOYAL_FACADE, PATIENT_FACADE, CARELESS, STRIKE)
FARTHEST_STRIKE = 8

Parameters = TypeVar("Parameters", bound=Any)


def drawn_characters(count: int, rng: np.random.Generator) -> npt.NDArray[np.void]:
    """Dwarfs with a character of their own for either role: DWARF[count]."""
    return parameter_rows([_drawn_dwarf(rng) for _ in range(count)])


def _drawn_dwarf(rng: np.random.Generator) -> Dwarf:
    miner, facade = (
        _drawn(DRAWN_MINERS[rng.integers(len(DRAWN_MINERS))], rng),
        _drawn(DRAWN_FACADES[rng.integers(len(DRAWN_FACADES))], rng),
    )
    return Dwarf(miner, facade, _drawn(STRIKE, rng), int(rng.integers(1, FARTHEST_STRIKE + 1)))


def _drawn(character: Parameters, rng: np.random.Generator) -> Parameters:
    values = {item.name: _drawn_value(item.name, getattr(character, item.name), rng) for item in fields(character)}
    return type(character)(**values)


def _drawn_value(name: str, value: Any, rng: np.random.Generator) -> Any:
    if is_dataclass(value):
        return _drawn(value, rng)
    if name == "temperature":
        return float(rng.choice(TEMPERATURES))
    if value <= NEVER_FALLS:
        return value
    return 0.0 if rng.random() < MISSING else float(value * np.exp(rng.normal(0, SPREAD)))
