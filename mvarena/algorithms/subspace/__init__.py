"""Specs of this family: methods that find the subspace in which the samples of each cluster lie."""

from __future__ import annotations

from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.specs import AlgorithmSpec

_COEFFICIENTS = Capabilities(kinds=frozenset({"features", "kernel"}), missing=False, deterministic=True)
_LRSSC_SOURCE = "Brbic and Kopriva, Multi-view low-rank sparse subspace clustering, Pattern Recognition 73, 2018"
_LRSSC_COST = "time per step O(V n^3), an n x n eigenproblem per view; memory 13 V + 3 n x n, half above n = 400"

LRSSC_PAIRWISE = AlgorithmSpec(
    name="lrssc-pairwise",
    target="mvarena.algorithms.subspace.lrssc:LRSSCPairwise",
    summary="Low-rank sparse self-representation per view, every two views drawn together",
    source=_LRSSC_SOURCE,
    capabilities=_COEFFICIENTS,
    prepare=("fill-mean",),
    cost=_LRSSC_COST,
    version="2",
    status="verified",
)
LRSSC_CENTROID = AlgorithmSpec(
    name="lrssc-centroid",
    target="mvarena.algorithms.subspace.lrssc:LRSSCCentroid",
    summary="Low-rank sparse self-representation per view, all drawn towards their mean",
    source=_LRSSC_SOURCE,
    capabilities=_COEFFICIENTS,
    prepare=("fill-mean",),
    cost=_LRSSC_COST,
    version="2",
    status="verified",
)
CONVEXSUB = AlgorithmSpec(
    name="convexsub",
    target="mvarena.algorithms.subspace.convexsub:ConvexSub",
    summary="Convex subspace representation: one low-rank representation that reconstructs all views",
    source="after Guo, Convex subspace representation learning from multi-view data, AAAI 2013, by way of MIC",
    capabilities=Capabilities(missing=False, sparse=False, deterministic=True),
    prepare=("fill-mean",),
    cost="time per step O(n D min(n, D)), D features of all views together; memory 6 n D + min(n, D)^2",
    status="from secondary sources",
)
ECMSC = AlgorithmSpec(
    name="ecmsc",
    target="mvarena.algorithms.subspace.ecmsc:ECMSC",
    summary="Sparse self-representations, different in each view, with one cluster indicator",
    source="after Wang, Guo, Lei, Zhang and Li, Exclusivity-consistency regularized multi-view subspace clustering, "
    "CVPR 2017",
    capabilities=Capabilities(missing=False, sparse=False, deterministic=True),
    prepare=("fill-mean", "unit-rows"),
    cost="time per round O(V steps n^2 d) and an n x n eigenproblem; memory 5 V + 7 matrices n x n",
    status="from secondary sources",
)

SPECS: tuple[AlgorithmSpec, ...] = (LRSSC_PAIRWISE, LRSSC_CENTROID, CONVEXSUB, ECMSC)
