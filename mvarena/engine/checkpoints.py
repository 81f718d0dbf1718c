"""Labellings after some iterations of a fit, from what the method kept in the details of its representation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.algorithm import Representation
from mvarena.contracts.picker import Candidate
from mvarena.contracts.protocol import Pick
from mvarena.engine.validation import plain_labels
from mvarena.errors import InvalidData
from mvarena.numerics.kmeans import Labelling

_OUTCOMES = "checkpoint_outcomes"

Labels = NDArray[np.int64]
Assign = Callable[[Representation], Sequence[Labelling]]


def checkpoint_labels(
    name: str, found: Representation, end: Sequence[Labelling], assign: Assign, pick: Pick
) -> Callable[[], list[list[Labels]]] | None:
    """Return a function that gives the labels (n,) of each checkpoint of algorithm `name`; None where it kept none.

    end : the labellings at the end of the fit, which is the last checkpoint. assign : makes those of another. pick : by
    the protocol, of which restarts the labels are: of all, of the one of lowest inertia, or each by itself.
    The function raises InvalidData for checkpoints that are neither embeddings (m, n, p) nor labels (m, n). Its cost is
    that of `assign` for each checkpoint.
    """
    if not isinstance(found.details, dict) or _OUTCOMES not in found.details:
        return None
    kept, n_samples = found.details[_OUTCOMES], len(end[0].labels)

    def labels() -> list[list[Labels]]:
        outcomes = np.asarray(kept)
        if outcomes.ndim not in (2, 3) or outcomes.shape[1] != n_samples:
            raise InvalidData(
                f"{name} kept {_OUTCOMES} of shape {outcomes.shape}; give embeddings (m, {n_samples}, p) or labels "
                f"(m, {n_samples})."
            )
        every = [*(assign(_as_representation(name, one)) for one in outcomes), end]
        return [counted for restarts in every for counted in _counted(restarts, pick)]

    return labels


def _as_representation(name: str, outcome: NDArray[Any]) -> Representation:
    if outcome.ndim == 1:
        return Representation(labels=plain_labels(name, outcome, len(outcome)))
    return Representation(embedding=np.asarray(outcome, dtype=np.float64))


def _counted(restarts: Sequence[Labelling], pick: Pick) -> list[list[Labels]]:
    if pick == "lowest-inertia":
        return [[Candidate(restarts=restarts).labels]]
    every = [restart.labels for restart in restarts]
    return [every] if pick == "mean" else [[labels] for labels in every]
