"""Specs of multiple kernel k-means and late fusion."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.specs import AlgorithmSpec, Look, PaperGrid

_KERNELS = Capabilities(kinds=frozenset({"kernel"}), sparse=False, centred_kernels=True, deterministic=True)
_FUSION = Capabilities(kinds=frozenset({"features", "kernel"}), centred_kernels=True, deterministic=True, single=True)
# each of these acts on views of its own kind and leaves the others as they are
_PREPARE = ("distance-kernel", "gaussian-kernel", "center-kernels")
_EEIMVC = "Liu et al., Efficient and Effective Incomplete Multi-View Clustering, AAAI 2019"

_KEPT = (
    "links, images, omics, synthetic data: the k leading directions of each view's kernel count alike, however little "
    "they tell"
)

_BY_SIZE = "kernels are weighed by their own size; centred kernels of unit diagonal, as papers take them, have one"
_EVERY_THIRD_POWER = tuple(2.0**power for power in range(-15, 16, 3))

_MKKM: dict[str, Any] = {
    "version": "2",
    "capabilities": _KERNELS,
    "prepare": _PREPARE,
    "status": "verified",
    "caveats": "images, omics, images beside texts: kernels weigh by how well k directions compress them, not by what "
    "they tell",
    "units": _BY_SIZE,
}

SPECS: tuple[AlgorithmSpec, ...] = (
    AlgorithmSpec(
        name="mkkm-zf",
        target="mvarena.algorithms.kernel.mkkm:MKKMZF",
        summary="multiple kernel k-means; missing rows of the kernels are zero",
        source=f"{_EEIMVC}, Eq. 1; Gonen and Margolin, NIPS 2014",
        cost="O(V n^2 k) time per iteration, 3 n^2 doubles",
        grid=PaperGrid("parameter-free"),
        look=Look("black", "s", "dashed"),
        **_MKKM,
    ),
    AlgorithmSpec(
        name="mkkm-mf",
        target="mvarena.algorithms.kernel.mkkm:MKKMMF",
        summary="multiple kernel k-means; missing samples are the mean of the observed ones in feature space",
        source=f"{_EEIMVC}, Eq. 1; Gonen and Margolin, NIPS 2014",
        cost="O(V n^2 k) time per iteration, (V + 3) n^2 doubles",
        grid=PaperGrid("parameter-free"),
        look=Look("blue", "v", "dashdot"),
        **_MKKM,
    ),
    AlgorithmSpec(
        name="mkkm-knn",
        target="mvarena.algorithms.kernel.mkkm:MKKMKNN",
        summary="multiple kernel k-means; missing rows are the mean of their neighbours' rows in the other views",
        source=f"{_EEIMVC}, Eq. 1; Gonen and Margolin, NIPS 2014",
        cost="O(V n^2 m) time for m missing samples per view, O(V n^2 k) per iteration, (V + 5) n^2 doubles",
        grid=PaperGrid("the scripts of MKKM-IK's authors fix 7 neighbours"),
        look=Look("vermilion", "D", "short"),
        **_MKKM,
    ),
    AlgorithmSpec(
        name="mkkm-af",
        target="mvarena.algorithms.kernel.mkkm:MKKMAF",
        summary="multiple kernel k-means; missing rows are aligned with the partition of the zero-filled kernels",
        source=f"{_EEIMVC}, Eq. 1; Trivedi et al., NIPS workshop 2010",
        cost="O(V n^2 k) time per iteration, (V + 3) n^2 doubles",
        grid=PaperGrid("parameter-free"),
        look=Look("green", "X", "dashdotdot"),
        **_MKKM,
    ),
    AlgorithmSpec(
        name="mkkm-ik",
        target="mvarena.algorithms.kernel.mkkm_ik:MKKMIK",
        summary="multiple kernel k-means that imputes the kernels while it clusters",
        source=f"Liu et al., Multiple kernel k-means with incomplete kernels, AAAI 2017; {_EEIMVC}, Eq. 2",
        cost="O(V n^2 k) time and k eigenvectors of an n x n matrix per iteration, 3 n^2 doubles",
        grid=PaperGrid("parameter-free"),
        look=Look("pink", "P", "dashed"),
        **_MKKM,
    ),
    AlgorithmSpec(
        name="limkkm",
        target="mvarena.algorithms.kernel.limkkm:LIMKKM",
        summary="mkkm-ik on the neighbourhoods of the samples, with a matrix-regularised form",
        source="Zhu et al., Localized incomplete multiple kernel k-means, IJCAI 2018",
        cost="O(V n^2 m) time for m missing samples per view and k eigenvectors per iteration, (V + 4) n^2 doubles",
        grid=PaperGrid(
            "the program: 0.1 to 0.9, and 2^-15 to 2^15; a script that calls it: 0.2 to 0.8",
            (
                ("tau", (0.1, 0.3, 0.5, 0.9)),
                ("regularization", (3.0517578125e-05, 1.0, 32768.0)),
            ),
            by_classes=True,
        ),
        look=Look("orange", "o", "dotted"),
        **_MKKM,
    ),
    AlgorithmSpec(
        name="eeimvc",
        linear_memory=True,
        target="mvarena.algorithms.kernel.eeimvc:EEIMVC",
        version="2",
        summary="late fusion: the missing rows of each view's partition are imputed from the consensus; linear in n",
        source=f"{_EEIMVC}, Eq. 4 to 8 and Algorithm 1; regularised: Liu et al., IEEE TPAMI 2021",
        capabilities=_FUSION,
        prepare=("distance-kernel", "center-kernels"),
        cost="O(n d^2) time per view and O(n (V k)^2), once; memory O(n (d + V k)); a kernel view costs O(n^2 k)",
        status="verified",
        caveats=_KEPT,
        grid=PaperGrid("parameter-free; the regularised form came later"),
        look=Look("wine", "^", "solid"),
    ),
    AlgorithmSpec(
        name="lf-imvc",
        linear_memory=True,
        version="2",
        target="mvarena.algorithms.kernel.lf_imvc:LFIMVC",
        summary="late fusion: a consensus of the views' partitions, each kept near its base partition; linear in n",
        source="Liu et al., Late Fusion Incomplete Multi-View Clustering, IEEE TPAMI 2019; the authors' program",
        capabilities=_FUSION,
        prepare=("distance-kernel", "center-kernels"),
        cost="O(n d^2) time per view and O(n (V k)^2), once; memory O(n (d + V k)); a kernel view costs O(n^2 k)",
        status="verified",
        caveats=_KEPT,
        grid=PaperGrid(
            "the authors' Demo.m: every third power of 2 from 2^-15 to 2^15",
            (("regularization", _EVERY_THIRD_POWER),),
            by_classes=True,
        ),
        look=Look("blue", "P", "dashed"),
    ),
    AlgorithmSpec(
        name="os-lf-imvc",
        linear_memory=True,
        target="mvarena.algorithms.kernel.oslf_imvc:OSLFIMVC",
        summary="late fusion in one stage: clusters and the missing rows of the views' partitions at once; linear in n",
        source="Zhang et al., One-Stage Incomplete Multi-View Clustering via Late Fusion, ACM Multimedia 2021; "
        "the authors' program",
        capabilities=_FUSION,
        prepare=("distance-kernel", "center-kernels"),
        cost="O(n d^2) time per view, once, and O(V n k^2) per iteration; memory O(n (V d + V k)); a kernel view costs "
        "O(n^2 k)",
        version="2",
        status="verified",
        grid=PaperGrid(
            "the authors' OS_LF_IMVC_demo.m: 2^-15 to 2^15, of which every third power",
            (("regularization", _EVERY_THIRD_POWER),),
            by_classes=True,
        ),
        units=_BY_SIZE,
        look=Look("green", "v", "short"),
    ),
    AlgorithmSpec(
        name="oplf-mvc",
        linear_memory=True,
        target="mvarena.algorithms.kernel.oplf_mvc:OPLFMVC",
        summary="late fusion in one pass: clusters and rotations of the views' partitions at once; linear in n",
        source="Liu et al., One Pass Late Fusion Multi-view Clustering, ICML 2021; the authors' program",
        capabilities=replace(_FUSION, missing=False),
        prepare=("fill-mean", "distance-kernel", "center-kernels"),
        cost="O(n d^2) time per view, once, and O(V n k^2) per iteration; memory O(n (V d + V k)); a kernel view costs "
        "O(n^2 k)",
        version="2",
        status="verified",
        caveats=_KEPT,
        grid=PaperGrid("parameter-free"),
        look=Look("vermilion", "<", "dotted"),
    ),
    AlgorithmSpec(
        name="simplemkkm",
        target="mvarena.algorithms.kernel.simplemkkm:SimpleMKKM",
        summary="multiple kernel k-means whose weights minimise what the best partition reaches; no parameter",
        source="Liu, SimpleMKKM: Simple Multiple Kernel K-means, IEEE TPAMI 2022; the authors' program",
        capabilities=replace(_KERNELS, missing=False),
        prepare=("fill-mean", *_PREPARE),
        cost="V n^2 and k eigenvectors of an n x n matrix per iteration, some 15 iterations; 3 n^2 doubles",
        version="2",
        status="verified",
        grid=PaperGrid("parameter-free"),
        units=_BY_SIZE,
        look=Look("sky", "h", "dashed"),
    ),
)
