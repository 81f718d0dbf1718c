"""Specs of this family: methods that cluster a graph built over the views."""

from __future__ import annotations

from mvarena.algorithms.graph import specs_spectral
from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.specs import AlgorithmSpec

APMC = AlgorithmSpec(
    name="apmc",
    target="mvarena.algorithms.graph.apmc:APMC",
    summary="Anchor-based partial multi-view clustering: similarities through samples that two views share",
    source="Guo and Ye, Anchors bring ease, AAAI 2019, algorithm 1 and section 4",
    capabilities=Capabilities(min_views=2),
    prepare=("minmax", "unit-rows"),
    cost="time O(n l d) per pair of views for l anchors, memory O(n m V^2); never n x n",
    status="from the paper",
)

SPECS: tuple[AlgorithmSpec, ...] = (APMC, *specs_spectral.SPECS)
