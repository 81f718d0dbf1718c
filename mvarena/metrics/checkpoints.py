"""Scores at the best of the iterations that a method kept: what choosing the iteration by the classes would report."""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean

from mvarena.contracts.metric import Checkpoints, Contingency
from mvarena.metrics.external import acc, nmi


def best_acc(checkpoints: Checkpoints) -> float:
    """The highest ACC of a checkpoint, each that of the restarts that count; the end of the fit is among them."""
    return _best(checkpoints, acc)


def best_nmi(checkpoints: Checkpoints) -> float:
    """The highest NMI of a checkpoint, each that of the restarts that count; the end of the fit is among them."""
    return _best(checkpoints, nmi)


def _best(checkpoints: Checkpoints, metric: Callable[[Contingency], float]) -> float:
    return max(fmean(metric(table) for table in tables) for tables in checkpoints.tables)
