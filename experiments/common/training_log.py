"""The measurements of a training run, rollout by rollout."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from saboteur_env.core.extras import extra

from .report import write_text


class TrainingLog:
    """The log of a training run: a line of JSON for each rollout, and TensorBoard events.

    Lines that a killed run wrote after its last checkpoint are removed.
    """

    def __init__(self, out: Path, decisions: int) -> None:
        with extra("train"):
            from torch.utils.tensorboard import SummaryWriter

        self.path = out / "curve.jsonl"
        kept = self.path.read_text(encoding="utf-8").splitlines(keepends=True) if self.path.exists() else []
        kept = [line for line in kept if line.endswith("\n") and json.loads(line)["decisions"] <= decisions]
        write_text(self.path, "".join(kept))
        self.board = SummaryWriter(str(out), purge_step=decisions + 1)

    def write(self, decisions: int, measured: Mapping[str, float]) -> None:
        """Add one rollout, learned from after so many decisions."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"decisions": decisions, **measured}, default=float) + "\n")
        for name, value in measured.items():
            self.board.add_scalar(name, value, decisions)
        self.board.flush()

    def close(self) -> None:
        """End the events."""
        self.board.close()
