"""One training run as one small TOML file (experiments/configs), checked before anything starts."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from saboteur_env.agents.beliefs.action_model_file import digest_of
from saboteur_env.agents.learned.network import NetworkConfig
from saboteur_env.agents.learned.ppo import SHIPPED
from saboteur_env.agents.learned.weights import check_temperature
from saboteur_env.agents.scripted.presets import PPO_SMALL, number_of
from saboteur_env.agents.scripted.small_network import DISTILLED, SHIPPED_SMALL
from saboteur_env.core.extras import extra
from saboteur_env.core.files import shipped, shipped_names
from saboteur_env.core.frozen import freeze
from saboteur_env.engine.cards import KINDS, PRINTED_DECK
from saboteur_env.environment.settings import Settings

from .opponents import League, Opponents

if sys.version_info >= (3, 11):
    import tomllib
else:
    with extra("train"):
        import tomli as tomllib

PACKAGE = "saboteur_env.experiments"
T = TypeVar("T")
# How a setting falls from its first value to its last, by the share of the run that is still to come.
DECAYS: dict[str, Callable[[float, float, float], float]] = {
    "linear": lambda first, last, left: last + (first - last) * left,
    "exponential": lambda first, last, left: first**left * last ** (1 - left),
}
REGULARIZERS = ("entropy", "log_barrier")  # computed in ppo.py
# Settings of earlier versions, and what they are called now.
RENAMED = {
    "begin": "init_from",
    "sharpen": "logit_scale",
    "stages": "curriculum",
    "judging": "evaluation",
    "judging.every": "evaluation.interval",
    "league.every": "league.interval",
    "learning.steps": "learning.n_steps",
    "learning.batch": "learning.batch_size",
    "learning.epochs": "learning.n_epochs",
    "learning.rate": "learning.learning_rate",
    "learning.last_rate": "learning.final_learning_rate",
    "learning.clip": "learning.clip_range",
    "learning.entropy": "learning.ent_coef",
    "learning.value": "learning.vf_coef",
    "learning.max_grad": "learning.max_grad_norm",
    "learning.roles": "learning.role_coef",
}


@dataclass(frozen=True)
class Learning:
    """How PPO learns (Schulman et al., "Proximal policy optimization algorithms", 2017).

    Args:
        n_steps: of one rollout; a decision of every game each.
        batch_size: decisions of one step of the optimiser, about.
        n_epochs: passes over a rollout.
        learning_rate, final_learning_rate: the learning rate, falling evenly from the first to the last.
        gamma: the discount between a seat's decisions; 1, as only the end of the round counts.
        gae_lambda: lambda of generalised advantage estimation: 1 uses returns only, 0 bootstraps from the next value.
        clip_range, ent_coef, vf_coef, max_grad_norm: of the objective.
        final_ent_coef: of the end of the run, to which the entropy bonus falls; None keeps it as it is. A bonus that
            falls lets self-play come near an equilibrium (Sokota et al., "A unified approach to reinforcement learning,
            quantal response equilibria, and two-player zero-sum games", ICLR 2023).
        ent_decay: how the bonus falls: `linear`, by the same amount with every decision, or `exponential`, by the same
            factor.
        regularizer: what `ent_coef` weighs: `entropy`, or `log_barrier`, the mean log-probability of the legal actions.
            With the barrier no action is given up for good, as its pull on the logit of a rare action does not vanish
            (Agarwal et al., "On the theory of policy gradient methods: optimality, approximation, and distribution
            shift", JMLR 2021).
        role_coef: weight of the role head's loss.
        target_kl: stop the epochs of a rollout beyond 1.5 times this; 0 for never.
        bf16: compute in bfloat16; weights stay float32.
        action_model: the one behind the belief inputs of a network that has them: `fitted`, or `doubting`, which
            allows for strangers.

    Raises: ValueError for an action model, a decay or a regularizer there is not, and for an exponential decay from or
        to 0.
    """

    n_steps: int = 64
    batch_size: int = 2048
    n_epochs: int = 3
    learning_rate: float = 1e-3
    final_learning_rate: float = 1e-4
    gamma: float = 1.0
    gae_lambda: float = 0.95
    clip_range: float = 0.2
    ent_coef: float = 0.01
    final_ent_coef: float | None = None
    ent_decay: str = "linear"
    regularizer: str = "entropy"
    vf_coef: float = 0.5
    max_grad_norm: float = 0.5
    role_coef: float = 0.1
    target_kl: float = 0.0
    bf16: bool = False
    action_model: str = "fitted"

    def __post_init__(self) -> None:
        digest_of(self.action_model)
        if self.ent_decay not in DECAYS:
            raise ValueError(f"learning.ent_decay must be one of {', '.join(DECAYS)}, not {self.ent_decay!r}")
        if self.regularizer not in REGULARIZERS:
            raise ValueError(f"learning.regularizer must be one of {', '.join(REGULARIZERS)}, not {self.regularizer!r}")
        if self.ent_decay == "exponential" and min(self.ent_coef, self._last_ent_coef) <= 0:
            raise ValueError("an exponential ent_decay needs ent_coef and final_ent_coef above 0")

    def at(self, left: float) -> Learning:
        """The same with the learning rate and the entropy bonus as they are on the way.

        Args:
            left: the share of the run that is still to come.
        """
        rate = self.final_learning_rate + (self.learning_rate - self.final_learning_rate) * left
        return replace(
            self, learning_rate=rate, ent_coef=DECAYS[self.ent_decay](self.ent_coef, self._last_ent_coef, left)
        )

    @property
    def _last_ent_coef(self) -> float:
        return self.ent_coef if self.final_ent_coef is None else self.final_ent_coef


@dataclass(frozen=True)
class CurriculumStage:
    """A part of the curriculum.

    Args:
        start: when it begins, as a share of the run.
        options: of the rules (docs/rules.md, section 8): `goal_cells` nearer to the start, your own `deck`.
        without: cards left out of the deck, by how their names begin: `x` for all dead ends, `break`, `rockfall`.

    Raises: ValueError where no card of the deck begins so.
    """

    start: float = 0.0
    options: Mapping[str, Any] = field(default_factory=dict)
    without: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        freeze(self)
        for beginning in self.without:
            if not any(name.startswith(beginning) for name in self._deck):
                raise ValueError(
                    f"curriculum: no card of the deck begins with {beginning!r}; there are {', '.join(KINDS)}"
                )

    @property
    def _deck(self) -> Mapping[str, int]:
        return self.options.get("deck", PRINTED_DECK)

    @property
    def rules(self) -> dict[str, Any]:
        """The options with the deck that is left."""
        left = {name: copies for name, copies in self._deck.items() if not name.startswith(self.without)}
        return {**self.options, "deck": left} if self.without else dict(self.options)


@dataclass(frozen=True)
class EvaluationConfig:
    """Matches against fixed opponents on the way.

    Args:
        interval: decisions from one to the next; 0 for none.
        rounds: for each number of players and side.
        opponent: a preset dwarf.
        players: which numbers of players; those of the run if empty.
    """

    interval: int = 200_000
    rounds: int = 200
    opponent: str = "scripted"
    players: tuple[int, ...] = ()


@dataclass(frozen=True)
class RunConfig:
    """A run.

    Args:
        decisions: how many are learned from in all.
        games: how many are played at once.
        players: numbers of players, spread evenly over the games.
        seed: the same seed gives the same curve on the same machine's CPU.
        threads: of torch and of the batch each; 0 is one of torch, and as many of the batch as pay. More of torch
            pay only where nobody else works on the cores: threads that wait for one another there are far slower.
        minutes: between checkpoints.
        settings: fields of `Settings` besides players and options.
        init_from: weights to begin from, `ppo` for the shipped ones, or a file of a network of the same window, history
            and shape, which may lack belief inputs. For the small network `ppo-small`, `distilled` or a file.
        logit_scale: times the logits of those weights; above 1 it begins surer of what it likes.
        temperature: at which its weights are played later (ppo.py); the run itself plays and is evaluated at 1.
        stock: whether stock MaskablePPO learns for one seat (baseline.py) among the first dwarfs of the pool. Of
            `network` only the width counts then, and of `learning` neither roles nor bf16 nor a falling entropy bonus
            nor another regularizer.
        small: whether the small network learns, which plays in kernels (small/), with a critic that sees everything. Of
            `learning` neither roles nor bf16 nor the action model count then, `network` not at all.
    """

    decisions: int = 1_000_000
    games: int = 256
    players: tuple[int, ...] = (3, 4, 5, 6, 7, 8, 9, 10)
    seed: int = 1
    threads: int = 0
    minutes: float = 5.0
    settings: Mapping[str, Any] = field(default_factory=dict)
    init_from: str = ""
    logit_scale: float = 1.0
    temperature: float = 1.0
    stock: bool = False
    small: bool = False
    network: NetworkConfig = field(default_factory=NetworkConfig)
    learning: Learning = field(default_factory=Learning)
    opponents: Opponents = field(default_factory=Opponents)
    league: League = field(default_factory=League)
    curriculum: tuple[CurriculumStage, ...] = (CurriculumStage(),)
    evaluation: EvaluationConfig = field(default_factory=EvaluationConfig)

    def __post_init__(self) -> None:
        freeze(self)
        starts = [stage.start for stage in self.curriculum]
        if not starts or starts[0] != 0 or starts != sorted(set(starts)):
            raise ValueError(f"curriculum must start at 0 and go up, not {starts}")
        if self.games < len(self.players) or not self.players:
            raise ValueError(
                f"{self.games} games cannot hold tables of {self.players}: give more games, or fewer counts"
            )
        if sum(self.opponents.each) + sum(self.league.each) > 1:
            raise ValueError("the shares of opponents and league are more than 1 together")
        if not 0 < self.logit_scale < math.inf or (self.logit_scale != 1 and not self.init_from):
            raise ValueError(
                f"logit_scale must be more than 0, and 1 without weights to begin from, not {self.logit_scale}"
            )
        check_temperature(self.temperature)
        if self.stock and (self.opponents.played or self.league.played or len(self.curriculum) > 1):
            raise ValueError("a stock run has one stage, and no shares of opponents or league")
        if self.stock and self.small:
            raise ValueError("stock and small name two learners: choose one")
        for stage in self.curriculum:
            for count in (*self.players, *self.evaluation.players):
                self.settings_of(stage, count)
        number_of(self.evaluation.opponent)

    def settings_of(self, stage: CurriculumStage, players: int | None = None) -> Settings:
        """The settings of a stage, for the first of the numbers of players if none is given.

        Raises: ValueError where they are impossible.
        """
        settings = Settings(players=players or self.players[0], options=stage.rules, **self.settings)
        if settings.rules.talks:
            raise ValueError("curriculum: the network knows no words; leave the option talk out")
        return settings

    def stage(self, decisions: int) -> int:
        """The number of the stage after so many decisions."""
        return sum(stage.start * self.decisions <= decisions for stage in self.curriculum) - 1

    def as_json(self) -> str:
        """The whole of it, as it is kept with the run."""
        return json.dumps(asdict(self), indent=2) + "\n"

    @property
    def first_weights(self) -> str:
        """The file of the weights to begin from; empty where there are none."""
        return weights_file(self.init_from)

    @classmethod
    def of_json(cls, text: str) -> RunConfig:
        """The config of `as_json`. Raises: ValueError for anything else."""
        return _build(cls, json.loads(text), "")


def weights_file(name: str) -> str:
    """The file of weights: those of the package for `ppo`, `ppo-small` and `distilled`, or the file itself."""
    return str({"ppo": SHIPPED, PPO_SMALL: SHIPPED_SMALL, "distilled": DISTILLED}.get(name, name))


def load_config(name: str, changes: Iterable[str] = ()) -> RunConfig:
    """Read a config.

    Args:
        name: one of experiments/configs, or a path.
        changes: such as `learning.n_epochs=4`, the value as in TOML.

    Raises: ValueError that names the file, the entry and what is wrong with it.
    """
    own = f"configs/{name}.toml"
    path = shipped(PACKAGE, own) if own in shipped_names(PACKAGE, "configs") else Path(name)
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        known = ", ".join(Path(known).stem for known in shipped_names(PACKAGE, "configs"))
        raise ValueError(f"there is no config {name!r}; there are {known}, or give a path") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"cannot read the config {path}: {error}") from None
    for change in changes:
        _change(data, change)
    return _build(RunConfig, data, "")


def _change(data: dict[str, Any], change: str) -> None:
    name, equals, value = change.partition("=")
    *parents, last = name.split(".")
    try:
        parsed = tomllib.loads(f"it = {value}")["it"]
    except tomllib.TOMLDecodeError:
        parsed = value  # a plain word
    if not equals:
        raise ValueError(f"{change!r}: write NAME=VALUE, such as learning.n_epochs=4")
    for parent in parents:
        data = data.setdefault(parent, {})
    data[last] = parsed


def _build(kind: type[T], data: Mapping[str, Any], where: str) -> T:
    """A dataclass from plain data; entries that are no fields of it are refused."""
    hints, known = get_type_hints(kind), [item.name for item in fields(kind)]  # type: ignore[arg-type]
    for name in data:
        if name not in known and where + name in RENAMED:
            raise ValueError(f"the setting {where}{name} is now called {RENAMED[where + name]}")
        if name not in known:
            raise ValueError(
                f"there is no setting {where}{name}; there are {', '.join(where + item for item in known)}"
            )
    result = {}
    for name, value in data.items():
        if is_dataclass(hints[name]):
            value = _build(hints[name], value, f"{where}{name}.")
        elif name == "curriculum":
            value = tuple(_build(CurriculumStage, stage, "curriculum.") for stage in value)
        elif isinstance(value, list):
            value = tuple(value)
        result[name] = value
    try:
        return kind(**result)
    except TypeError as error:
        raise ValueError(f"the settings {where or 'of the run'} do not fit: {error}") from None
