"""Distil the small network (agents/scripted/small_network.py) from the choices of a large one.

Each round collects decisions (distil_data.py) and fits both roles to all decisions so far, by the cross-entropy to the
teacher's probabilities. From the second round on the student decides in half of the games. The deals are those of
`Purpose.LEARNING`: no evaluation has them.

Run as ``saboteur-env study distil`` (needs the extra ``learned``).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import typer

from saboteur_env.core.extras import extra

with extra("learned"):
    import torch
    from torch import Tensor

from saboteur_env.agents.learned.network import pad_rows
from saboteur_env.agents.learned.ppo import Ppo
from saboteur_env.agents.scripted.net_rows import NETWORK
from saboteur_env.agents.scripted.small_network import weights_of
from saboteur_env.core.seeds import game_seed
from saboteur_env.engine.cards import ROLES
from saboteur_env.terminal import progress, report_files

from ..common.machine import commit_of, machine
from ..common.options import Seed
from ..common.report import write_atomically
from ..training.small.inputs import SmallInputs
from ..training.small.network import SmallPolicy
from .distil_data import Decisions, collect, joined

STUDY = "distil"

HELD_BACK = 20  # one of so many decisions is kept for measuring the fit


@dataclass(frozen=True)
class Study:
    """The settings. The same give the same weights on the same machine.

    Attributes:
        teacher: its weights; those of the package if empty.
        decisions: collected in all, half of them in the first round.
        rounds: of collecting and fitting.
        epochs: over all decisions so far, in each round.
        batch_size, learning_rate: of Adam; the rate rises, and falls to a hundredth, along each fit.
    """

    teacher: str = ""
    decisions: int = 1_600_000
    rounds: int = 3
    epochs: int = 5
    batch_size: int = 2048
    learning_rate: float = 0.003
    games: int = 512
    seed: int = 1


class Fit:
    """The networks of both roles, and what they learn from.

    Args:
        first: NETWORK[1], weights to begin from; drawn by the seed if not given.
    """

    def __init__(self, study: Study, first: npt.NDArray[np.void] | None = None) -> None:
        torch.manual_seed(study.seed)
        self.study, self.networks = study, [SmallPolicy() for _ in ROLES]
        for role, network in enumerate(self.networks):
            if first is not None:
                network.read(first, role)

    def student(self, decisions: Decisions) -> npt.NDArray[np.float32]:
        """The probabilities of all moves of some decisions: float32[m]."""
        result = np.empty(len(decisions.share), np.float32)
        for role, network in enumerate(self.networks):
            rows = np.flatnonzero(decisions.role == role)
            if len(rows):
                inputs, moves = decisions.of(rows)
                with torch.inference_mode():
                    likely = _padded(network, inputs).softmax(1)
                result[moves] = likely.flatten()[_listed(inputs.counts, likely)].numpy()
        return result

    def learn(self, decisions: Decisions, step: Callable[[int], object]) -> list[dict[str, float]]:
        """Fit both roles; what each loses and agrees on decisions kept apart."""
        return [self._learn(role, decisions, step) for role in range(len(ROLES))]

    def _learn(self, role: int, decisions: Decisions, step: Callable[[int], object]) -> dict[str, float]:
        study, network = self.study, self.networks[role]
        rows = np.flatnonzero(decisions.role == role)
        kept, rows = rows[::HELD_BACK], np.delete(rows, np.s_[::HELD_BACK])
        batches = study.epochs * -(-len(rows) // study.batch_size)
        optimiser = torch.optim.Adam(network.parameters(), study.learning_rate)
        schedule = torch.optim.lr_scheduler.OneCycleLR(
            optimiser, study.learning_rate, batches, pct_start=0.1, final_div_factor=4
        )
        for batch in self._batches(rows, role):
            inputs, moves = decisions.of(batch)
            loss = _loss(_padded(network, inputs), torch.from_numpy(decisions.share[moves]), inputs.counts)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()
            step(len(batch))
        return self._judged(network, decisions, kept)

    def _batches(self, rows: npt.NDArray[np.int64], role: int) -> Iterator[npt.NDArray[np.int64]]:
        rng = np.random.default_rng([self.study.seed, role, len(rows)])
        for _ in range(self.study.epochs):
            yield from np.array_split(rng.permutation(rows), -(-len(rows) // self.study.batch_size))

    def _judged(self, network: SmallPolicy, decisions: Decisions, rows: npt.NDArray[np.int64]) -> dict[str, float]:
        inputs, moves = decisions.of(rows)
        share = torch.from_numpy(decisions.share[moves])
        with torch.inference_mode():
            logits = _padded(network, inputs)
        taught = pad_rows(share, torch.repeat_interleave(inputs.counts), inputs.counts).clamp(min=0)
        entropy = -torch.xlogy(share, share).sum() / len(rows)
        agreed = (logits.argmax(1) == taught.argmax(1)).float().mean()
        loss = float(_loss(logits, share, inputs.counts))
        return {"loss": loss, "divergence": loss - float(entropy), "agreement": float(agreed), "decisions": len(rows)}

    def network(self) -> npt.NDArray[np.void]:
        """The weights of both roles: NETWORK[1]."""
        result = np.zeros(1, NETWORK)
        for role, network in enumerate(self.networks):
            network.write(result, role)
        return result


def _padded(network: SmallPolicy, inputs: SmallInputs) -> Tensor:
    # The logits of the moves: float32[b, L], -inf beyond the count of each row.
    scores = network(inputs.state, inputs.counts, inputs.move, inputs.kind)
    return pad_rows(scores, torch.repeat_interleave(inputs.counts), inputs.counts)


def _listed(count: Tensor, padded: Tensor) -> Tensor:
    return (torch.arange(padded.shape[1]) < count[:, None]).flatten()


def _loss(logits: Tensor, share: Tensor, count: Tensor) -> Tensor:
    # The cross-entropy to the teacher's probabilities, the mean over decisions.
    log_probs = logits.log_softmax(1).flatten()[_listed(count, logits)]
    return -(share * log_probs).sum() / len(count)


def distil(study: Study, step: Callable[[int], object] = lambda decisions: None) -> bytes:
    """The file of the weights that a study leads to.

    Args:
        step: called with the number of decisions just collected, or fitted to.

    Raises: ValueError as `Ppo`.
    """
    began, teacher, fit = time.process_time(), Ppo(study.teacher), Fit(study)
    parts, fits = list[Decisions](), list[Any]()
    later = study.decisions // 2 // max(study.rounds - 1, 1)
    for number in range(study.rounds):
        size = later if number else study.decisions - later * (study.rounds - 1)
        student = fit.student if number else None
        parts = [joined([*parts, collect(teacher, size, game_seed(study.seed, number), study.games, student, step)])]
        fits.append(dict(zip(ROLES, fit.learn(parts[0], step), strict=True)))
    facts = {
        "teacher": sha256(teacher.path.read_bytes()).hexdigest(),
        "study": asdict(study) | {"teacher": study.teacher and Path(study.teacher).name},
        "decisions": len(parts[0].counts),
        "core_minutes": round((time.process_time() - began) / 60, 1),
        "machine": machine(),
        "commit": commit_of(Path(__file__)),
        "rounds": fits,
    }
    return weights_of(fit.network(), facts)


def main(
    teacher: Annotated[str, typer.Option(help="Weights to distil; those of ppo if not given.")] = Study.teacher,
    decisions: Annotated[int, typer.Option(min=1, help="Decisions to collect.")] = Study.decisions,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of collecting and fitting.")] = Study.rounds,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over all decisions in each round.")] = Study.epochs,
    seed: Seed = Study.seed,
    out: Annotated[Path, typer.Option(help="File of the weights.")] = Path("runs/distilled/weights.safetensors"),
) -> None:
    """Distil the small network, which plays in kernels, from the choices of a large one.

    Writes the weights with their card. As agents/models/ppo-small/distilled.safetensors they are where runs of the
    small network begin (configs/small-network.toml).
    """
    study = Study(teacher, decisions, rounds, epochs, seed=seed)
    torch.set_num_threads(1)
    with progress() as bar:
        task = bar.add_task("decisions collected and fitted to", total=None)
        data = distil(study, lambda number: bar.advance(task, number))
    report_files([write_atomically(out, lambda file: file.write_bytes(data))])
