"""Specs of the controls."""

from __future__ import annotations

from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.specs import AlgorithmSpec

_KINDS = frozenset({"features", "kernel", "distance"})
_ANYTHING = Capabilities(kinds=_KINDS, single=True)
_ALWAYS_ALIKE = Capabilities(kinds=_KINDS, single=True, deterministic=True)
_COST = "time and memory O(n)"

SPECS: tuple[AlgorithmSpec, ...] = (
    AlgorithmSpec(
        name="one-cluster",
        target="mvarena.algorithms.control.controls:OneCluster",
        summary="Control: all samples in one cluster",
        source="mvarena",
        capabilities=_ALWAYS_ALIKE,
        cost=_COST,
        status="from the paper",
    ),
    AlgorithmSpec(
        name="random",
        target="mvarena.algorithms.control.controls:RandomLabels",
        summary="Control: labels drawn uniformly",
        source="mvarena",
        capabilities=_ANYTHING,
        cost=_COST,
        status="from the paper",
    ),
    AlgorithmSpec(
        name="shuffled-truth",
        target="mvarena.algorithms.control.controls:ShuffledTruth",
        summary="Control that reads the classes: the classes in random order",
        source="mvarena",
        capabilities=_ANYTHING,
        cost=_COST,
        status="from the paper",
        reads_labels=True,
    ),
    AlgorithmSpec(
        name="truth",
        target="mvarena.algorithms.control.controls:Truth",
        summary="Control that reads the classes: the classes themselves",
        source="mvarena",
        capabilities=_ALWAYS_ALIKE,
        cost=_COST,
        status="from the paper",
        reads_labels=True,
    ),
)
