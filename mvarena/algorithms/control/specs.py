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
        linear_memory=True,
        target="mvarena.algorithms.control.controls:OneCluster",
        summary="all samples in one cluster",
        source="defined by mvarena",
        capabilities=_ALWAYS_ALIKE,
        cost=_COST,
        status="from the paper",
    ),
    AlgorithmSpec(
        name="random",
        linear_memory=True,
        target="mvarena.algorithms.control.controls:RandomLabels",
        summary="labels drawn uniformly at random",
        source="defined by mvarena",
        capabilities=_ANYTHING,
        cost=_COST,
        status="from the paper",
    ),
    AlgorithmSpec(
        name="shuffled-truth",
        linear_memory=True,
        target="mvarena.algorithms.control.controls:ShuffledTruth",
        summary="the classes in random order (reads the classes)",
        source="defined by mvarena",
        capabilities=_ANYTHING,
        cost=_COST,
        status="from the paper",
        reads_labels=True,
    ),
    AlgorithmSpec(
        name="truth",
        linear_memory=True,
        target="mvarena.algorithms.control.controls:Truth",
        summary="the classes themselves (reads the classes)",
        source="defined by mvarena",
        capabilities=_ALWAYS_ALIKE,
        cost=_COST,
        status="from the paper",
        reads_labels=True,
    ),
)
