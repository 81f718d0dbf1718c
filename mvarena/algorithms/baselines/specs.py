"""Specs of the baselines."""

from __future__ import annotations

from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.specs import AlgorithmSpec, Look, PaperGrid

_COMPLETE = Capabilities(missing=False, deterministic=True)
_COMPLETE_OR_KERNEL = Capabilities(kinds=frozenset({"features", "kernel"}), missing=False, deterministic=True)
_SPECTRAL_COST = "time O(n^2 d) and O(k) products with an n x n matrix, memory 4 n^2"

SPECS: tuple[AlgorithmSpec, ...] = (
    AlgorithmSpec(
        name="bsv-kmeans",
        linear_memory=True,
        target="mvarena.algorithms.baselines.single_view:BSVKMeans",
        summary="k-means on a single view; the best view is chosen by the labels",
        source="k-means: Lloyd, IEEE Transactions on Information Theory 1982; a baseline of EMVC and others",
        capabilities=_COMPLETE,
        prepare=("fill-mean",),
        cost="time O(n d k) per k-means step, memory that of the view",
        status="from the paper",
        caveats="all data: a single view tells less than all of them",
        grid=PaperGrid("a baseline: no parameter beside the view"),
        picks_by_labels="view",
        look=Look("black", "v", "dotted"),
    ),
    AlgorithmSpec(
        name="bsv-spectral",
        target="mvarena.algorithms.baselines.single_view:BSVSpectral",
        summary="spectral clustering of a single view; the best view is chosen by the labels",
        source="spectral clustering: Ng, Jordan and Weiss, NIPS 2001; a baseline of RMSC and others",
        capabilities=_COMPLETE_OR_KERNEL,
        prepare=("fill-mean",),
        cost=_SPECTRAL_COST,
        version="2",
        status="from the paper",
        caveats="all data: a single view tells less than all of them",
        grid=PaperGrid("a baseline: no parameter beside the view"),
        picks_by_labels="view",
        look=Look("green", "<", "dotted"),
    ),
    AlgorithmSpec(
        name="concat",
        linear_memory=True,
        target="mvarena.algorithms.baselines.concat:Concat",
        summary="k-means on the concatenated features of all views",
        source="k-means: Lloyd, IEEE Transactions on Information Theory 1982; a baseline of MIC and others",
        capabilities=_COMPLETE,
        prepare=("fill-mean",),
        cost="time O(n d k) per k-means step, memory O(n d), d the sum over views; sparse data stay sparse",
        status="from the paper",
        grid=PaperGrid("a baseline: no parameter"),
        units="views stand side by side: those of larger values outweigh the others",
        look=Look("sky", "X", "dashdot"),
    ),
    AlgorithmSpec(
        name="sc-concat",
        target="mvarena.algorithms.baselines.spectral:SCConcat",
        summary="spectral clustering of the Gaussian similarities of concatenated features",
        source="Guo and Ye, AAAI 2019, section 5.2; bandwidth and graph are not stated there",
        capabilities=_COMPLETE,
        prepare=("fill-mean", "unit-rows"),  # as for apmc
        cost=_SPECTRAL_COST,
        version="2",
        status="from the paper",
        caveats="other data: similarities reach over all samples, so that small classes are no clusters of their own "
        "(dermatology: reach=nearest has 88 NMI, the default 74)",
        grid=PaperGrid("a baseline: its neighbours are those of apmc"),
        units="views stand side by side: those of larger values outweigh the others",
        look=Look("orange", "^", "dashed"),
    ),
    AlgorithmSpec(
        name="sc-average",
        target="mvarena.algorithms.baselines.spectral:SCAverage",
        summary="spectral clustering of the mean of the views' Gaussian similarities",
        source="Guo and Ye, AAAI 2019, section 5.2; bandwidth and graph are not stated there",
        capabilities=_COMPLETE,
        prepare=("fill-mean", "unit-rows"),  # as for apmc
        cost=_SPECTRAL_COST,
        version="2",
        status="from the paper",
        grid=PaperGrid("a baseline: its neighbours are those of apmc"),
        look=Look("wine", "s", "dashdot"),
    ),
    AlgorithmSpec(
        name="kernel-addition",
        target="mvarena.algorithms.baselines.kernel_addition:KernelAddition",
        summary="spectral clustering of the mean of the views' Gaussian kernels",
        source="spectral clustering: Ng, Jordan and Weiss, NIPS 2001; a baseline of EMVC",
        capabilities=_COMPLETE_OR_KERNEL,
        prepare=("fill-mean",),
        cost=_SPECTRAL_COST,
        version="2",
        status="from the paper",
        grid=PaperGrid("a baseline: no parameter"),
        units="kernels are weighed by their own size; centred kernels of unit diagonal, as papers take them, have one",
        look=Look("pink", "D", "short"),
    ),
)
