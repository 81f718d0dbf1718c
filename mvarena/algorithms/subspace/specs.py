"""Specs of the subspace methods."""

from __future__ import annotations

from typing import Any

from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.specs import AlgorithmSpec, Look, PaperGrid

_POINTS = (
    "other data, synthetic data: of few features, classes lie around means and are no linear subspaces, so samples "
    "of other classes combine as well "
)

_LRSSC: dict[str, Any] = {
    "source": "Brbic and Kopriva, Multi-view low-rank sparse subspace clustering, Pattern Recognition 73, 2018",
    "capabilities": Capabilities(kinds=frozenset({"features", "kernel"}), missing=False, deterministic=True),
    "prepare": ("fill-mean",),
    "cost": "time per step O(V n^3), an n x n eigenproblem per view; memory 13 V + 3 n x n, half above n = 400",
    "version": "4",
    "status": "verified",
    "caveats": "links: of small, noisy views nearly all coefficients are above 0 at the unit of term counts, within "
    "classes hardly more than elsewhere (webkb-texas: 4 NMI; lrssc-pairwise with unit=5: 23); "
    f"{_POINTS}(lrssc-pairwise on wdbc, kernel=gaussian: 69 NMI for 38)",
    "grid": PaperGrid(
        "the authors' run_*.m: by data set 0.1 to 0.9 and 0.3 to 0.7 in steps of 0.2, beside 10 to 10000 for mu",
        (("low_rank", (0.1, 0.3, 0.5, 0.9)), ("agreement", (0.3, 0.5, 0.7))),
        by_classes=True,
    ),
}

SPECS: tuple[AlgorithmSpec, ...] = (
    AlgorithmSpec(
        name="lrssc-pairwise",
        target="mvarena.algorithms.subspace.lrssc:LRSSCPairwise",
        summary="low-rank sparse self-representation per view, every two views drawn together",
        look=Look("vermilion", "^", "dashdotdot"),
        **_LRSSC,
    ),
    AlgorithmSpec(
        name="lrssc-centroid",
        target="mvarena.algorithms.subspace.lrssc:LRSSCCentroid",
        summary="low-rank sparse self-representation per view, all drawn towards their mean",
        look=Look("sky", "P", "dashed"),
        **_LRSSC,
    ),
    AlgorithmSpec(
        name="convexsub",
        linear_memory=True,
        target="mvarena.algorithms.subspace.convexsub:ConvexSub",
        summary="one low-rank representation that reconstructs all views",
        source="after Guo, Convex subspace representation learning from multi-view data, AAAI 2013, by way of MIC",
        capabilities=Capabilities(missing=False, sparse=False, deterministic=True),
        prepare=("fill-mean",),
        cost="time per step O(n D min(n, D)), D features of all views together; memory 6 n D + 3 min(n, D)^2",
        status="from secondary sources",
        grid=PaperGrid(
            "MIC, section 4.1: a range of gamma that is not printed; these shares are ours",
            (("share", (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)),),
            by_classes=True,
        ),
        units="views stand side by side: those of larger values outweigh the others",
        look=Look("indigo", "v", "dashed"),
    ),
    AlgorithmSpec(
        name="ecmsc",
        version="3",
        target="mvarena.algorithms.subspace.ecmsc:ECMSC",
        summary="sparse self-representations, different in each view, with one cluster indicator",
        source="after Wang, Guo, Lei, Zhang and Li, Exclusivity-consistency regularized multi-view subspace "
        "clustering, CVPR 2017",
        capabilities=Capabilities(missing=False, sparse=False, deterministic=True),
        prepare=("fill-mean", "unit-rows"),
        cost="time per round O(V inner_steps n^2 d) and an n x n eigenproblem; memory 2 V + 7 matrices n x n (of "
        "single precision above 400 samples) and the data five times",
        status="from secondary sources",
        caveats="texts: an error matrix as sparse as the data explains them, and the coefficients keep little; "
        f"{_POINTS}(synthetic3d, by features of a Gaussian kernel: 88 NMI for 36)",
        grid=PaperGrid("neither the original text nor a program was at hand", known=False),
        look=Look("pink", "o", "dashdot"),
    ),
    AlgorithmSpec(
        name="imsc-agl",
        target="mvarena.algorithms.subspace.imsc_agl:IMSCAGL",
        summary="a low-rank graph per view, learned together with one spectral embedding of all samples",
        source="Wen, Xu and Liu: Incomplete Multiview Spectral Clustering with Adaptive Graph Learning, "
        "IEEE Trans. Cybernetics 2020; the authors' program",
        capabilities=Capabilities(sparse=False, deterministic=True),
        prepare=("unit-rows",),
        cost="O(V n^2 (n + d)) per iteration; (6 V + 8) n^2 + 8 V n d memory on one thread",
        status="verified",
        caveats="other data: of clusters of very unequal size the largest is split, as embeddings start without the "
        "constant vector, like the program's, and hardly move from there",
        grid=PaperGrid(
            "the authors' run_IMSAGL.m, which says to tune them, and a survey's program; sparsity = 100000 and 1000",
            (
                ("smoothness", (0.01, 0.1)),
                ("agreement", (0.1, 100.0)),
            ),
        ),
        look=Look("pink", "^", "solid"),
    ),
)
