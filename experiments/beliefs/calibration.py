"""Quality of probabilities: their scores against the truth, and their calibration."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from ..common.plots import Plot, style
from ..common.statistics import Row

Floats = npt.NDArray[np.float64]

BINS = 10
_SURE = 1e-6  # a probability of 0 or 1 is scored as if it were so far from it
MOST_LOSS = -math.log(_SURE)  # nats


def scores(said: Floats, true: Floats) -> Row:
    """Scores of probabilities: log loss (nats), Brier score, AUC, expected calibration error.

    Args:
        said: float64[n], what was believed.
        true: float64[n], 1 where it was so and 0 elsewhere.

    The AUC is the chance that one that is true was thought likelier than one that is not, ties counting half (Hanley
    and McNeil, "The meaning and use of the area under a receiver operating characteristic curve", 1982); the
    calibration error is the mean distance between belief and truth over ten equal bins of belief (Naeini and others,
    "Obtaining well calibrated probabilities using Bayesian binning", AAAI 2015).
    """
    bins = reliability(said, true)
    return {
        "log_loss": log_loss(said, true),
        "brier": float(np.mean((said - true) ** 2)),
        "auc": _auc(said, true),
        "ece": float(np.sum(bins[:, 2] * np.abs(bins[:, 0] - bins[:, 1])) / len(said)),
    }


def log_loss(said: Floats, true: Floats) -> float:
    """The mean log loss of probabilities, in nats; NaN of none.

    Args:
        said: float64[n], probabilities; true: float64[n], 1 where it was so and 0 elsewhere.
    """
    return float(np.mean(log_losses(said, true))) if len(said) else float("nan")


def log_losses(said: Floats, true: Floats) -> Floats:
    """The log loss of each probability, in nats: float64[n], at most MOST_LOSS.

    Args:
        said: float64[n], probabilities; true: float64[n], 1 where it was so and 0 elsewhere.
    """
    sure = np.clip(said, _SURE, 1 - _SURE)
    result: Floats = -(true * np.log(sure) + (1 - true) * np.log(1 - sure))
    return result


def _auc(said: Floats, true: Floats) -> float:
    positive = true > 0
    ones, zeros = int(positive.sum()), int((~positive).sum())
    if not ones or not zeros:
        return float("nan")
    return float((rankdata(said)[positive].sum() - ones * (ones + 1) / 2) / (ones * zeros))


def reliability(said: Floats, true: Floats) -> Floats:
    """Mean belief, share of truth and number for each bin that is not empty: float64[bins, 3].

    Args:
        said: float64[n], probabilities; true: float64[n], 1 where it was so and 0 elsewhere.
    """
    indices = np.minimum((said * BINS).astype(np.int64), BINS - 1)
    sizes, beliefs, truths = (np.bincount(indices, weights, BINS) for weights in (None, said, true))
    filled = sizes > 0
    return np.stack([beliefs[filled] / sizes[filled], truths[filled] / sizes[filled], sizes[filled]], axis=1)


def plot_reliability(parts: dict[str, tuple[Floats, Floats]], title: str) -> Plot:
    """A reliability diagram, with a line for each part and the number of beliefs in each bin below.

    Args:
        parts: by name `said` and `true`, float64[n] each.
    """
    plot = Plot(6, 7)
    above, below = plot.axes(2, 1, sharex=True, height_ratios=(3, 1))
    above.plot((0, 1), (0, 1), color="0.6", linewidth=1, label="calibrated")
    for index, (name, (said, true)) in enumerate(parts.items()):
        bins = reliability(said, true)
        above.plot(bins[:, 0], bins[:, 1], label=name, **style(index))
        below.plot(bins[:, 0], bins[:, 2], **style(index))
    above.set(ylabel="share that were saboteurs", xlim=(0, 1), ylim=(0, 1), title=title)
    below.set(xlabel="believed probability to be a saboteur", ylabel="beliefs", yscale="log")
    above.legend()
    for axes in (above, below):
        axes.grid(alpha=0.3)
    return plot


def plot_by_turn(rows: list[Row]) -> Plot:
    """The log loss of beliefs and of the prior by turn, with the number of rounds that lasted so long below."""
    plot = Plot(6, 5)
    above, below = plot.axes(2, 1, sharex=True, height_ratios=(3, 1))
    turns = [row["turn"] for row in rows]
    for index, (name, label) in enumerate((("log_loss", "belief"), ("prior_log_loss", "prior of the rules"))):
        above.plot(turns, [row[name] for row in rows], label=label, **style(index))
    below.plot(turns, [row["rounds"] for row in rows], color="black", marker="o")
    above.set(ylabel="log loss, nats", ylim=(0, None), title="Who is a saboteur? Log loss by turn")
    below.set(xlabel="turns played before", ylabel="rounds", ylim=(0, None))
    above.legend()
    for axes in (above, below):
        axes.grid(alpha=0.3)
    return plot
