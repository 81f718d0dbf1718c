"""Specs of the anchor methods."""

from __future__ import annotations

from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.specs import AlgorithmSpec, Look, PaperGrid

_ANY = Capabilities(deterministic=True)

_PARALLEL = "features are not centred, so class means are nearly parallel, which orthonormal anchors are not "
_AS_MANY = (
    f"images, omics, images beside texts, synthetic data: {_PARALLEL}(psimvc-pg, centred tcga-gbm-subtypes: 55 for 16)"
)
_FEW_CLUSTERS = f"other data, synthetic data: {_PARALLEL}(fimvc-via, wdbc centred: 57 NMI for 29)"
_FEW_SEEN = (
    "a view that few samples have: its residual, summed over these, is small, so that it gets nearly all weight, and "
    "the clusters of all other samples fall to chance"
)

SPECS: tuple[AlgorithmSpec, ...] = (
    AlgorithmSpec(
        name="psimvc-pg",
        linear_memory=True,
        target="mvarena.algorithms.anchor.psimvc_pg:PSIMVCPG",
        summary="one graph between samples and prototypes, which every view sees by a projection; no parameter",
        source="Li et al., Parameter-free and Scalable Incomplete Multiview Clustering with Prototype Graph, "
        "IEEE TNNLS 2022; the authors' program",
        capabilities=_ANY,
        prepare=("unit-rows",),
        cost="time O(m nnz + n V m log m + d m^2) per iteration for m prototypes, memory O(n V m)",
        status="verified",
        caveats=_AS_MANY,
        grid=PaperGrid("parameter-free: as many prototypes as clusters"),
        look=Look("sky", "o", "solid"),
    ),
    AlgorithmSpec(
        name="fimvc-via",
        linear_memory=True,
        target="mvarena.algorithms.anchor.fimvc_via:FIMVCVIA",
        summary="one graph between samples and anchors, with anchors of each view's own",
        source="Liu et al., Fast Incomplete Multi-View Clustering with View-Independent Anchors, IEEE TNNLS 2022; "
        "the authors' program",
        capabilities=_ANY,
        prepare=("unit-rows",),
        cost="time O(m nnz + n V m log m + d m^2) per iteration for m anchors, memory O(n V m)",
        status="verified",
        caveats=f"{_FEW_CLUSTERS}; {_FEW_SEEN}",
        grid=PaperGrid(
            "the authors' run.m, which also tries 2, 5 and 7 times as many anchors as clusters",
            (
                ("n_anchors", ("1k", "3k")),
                ("ridge", (0.001, 0.1, 1.0, 10.0, 100.0, 1000.0)),
            ),
            by_classes=True,
        ),
        look=Look("green", "s", "dashdot"),
    ),
    AlgorithmSpec(
        name="simvc-sa",
        linear_memory=True,
        target="mvarena.algorithms.anchor.simvc_sa:SIMVCSA",
        summary="an anchor graph per view, aligned with one consensus by rotations",
        source="Wen et al., Scalable Incomplete Multi-View Clustering with Structure Alignment, ACM Multimedia 2023; "
        "the authors' program",
        capabilities=_ANY,
        prepare=("unit-rows",),
        cost="time O(m nnz + n V m (m + log m) + d m^2) per iteration for m anchors, memory O(n V m)",
        status="verified",
        caveats=f"{_FEW_CLUSTERS}; {_FEW_SEEN}",
        grid=PaperGrid(
            "the authors' run.m, with alignment = 10000, too, and the same range and 0 for ridge",
            (
                ("n_anchors", ("1k", "2k", "5k")),
                ("alignment", (0.0001, 0.01, 1.0, 100.0)),
            ),
            by_classes=True,
        ),
        look=Look("orange", "v", "dashed"),
    ),
    AlgorithmSpec(
        name="smvsc",
        linear_memory=True,
        target="mvarena.algorithms.anchor.smvsc:SMVSC",
        summary="one graph between samples and anchors in a space that all views share",
        source="Sun et al., Scalable Multi-View Subspace Clustering with Unified Anchors, ACM Multimedia 2021; "
        "the authors' program",
        capabilities=Capabilities(missing=False, deterministic=True),
        prepare=("fill-mean", "zscore"),
        cost="time O(m nnz + n V m log m + d m^2) per iteration for m anchors, memory O(n V m)",
        status="verified",
        caveats=_FEW_CLUSTERS,
        grid=PaperGrid(
            "the authors' demoqp.m: 1, 2 and 3 times the clusters; lambda = 1", (("n_anchors", ("1k", "2k", "3k")),)
        ),
        units="the ridge stands beside views as they are; the paper standardises features",
        look=Look("indigo", "h", "dotted"),
    ),
    AlgorithmSpec(
        name="imvc-cbg",
        linear_memory=True,
        target="mvarena.algorithms.anchor.imvc_cbg:IMVCCBG",
        summary="one graph between samples and anchors of a shared space, fitted to what each view observes",
        source="Wang et al., Highly-efficient Incomplete Large-scale Multi-view Clustering with Consensus Bipartite "
        "Graph, CVPR 2022",
        capabilities=_ANY,
        prepare=("unit-rows",),
        cost="time O(m nnz + n V m log m + d m^2) per iteration for m anchors, memory O(n V m)",
        status="from secondary sources",
        caveats=f"{_AS_MANY}; {_FEW_SEEN}",
        grid=PaperGrid(
            "the authors' run.m: of 4 x 4 settings, without lambda = 1",
            (
                ("n_anchors", ("1k", "2k", "3k", "5k")),
                ("ridge", (0.001, 0.1, 10.0)),
            ),
            by_classes=True,
        ),
        look=Look("blue", "D", "dashdot"),
    ),
    AlgorithmSpec(
        name="fpmvs-cag",
        linear_memory=True,
        target="mvarena.algorithms.anchor.fpmvs_cag:FPMVSCAG",
        summary="one graph between samples and anchors of a shared space; no parameter; linear in n",
        source="Wang et al., Fast Parameter-Free Multi-View Subspace Clustering With Consensus Anchor Guidance, "
        "IEEE TIP 2022",
        capabilities=Capabilities(missing=False, deterministic=True),
        prepare=("fill-mean", "zscore"),
        cost="time O(m nnz + n V m log m + d m^2) per iteration for m anchors, memory O(n V m)",
        status="from secondary sources",
        caveats=_AS_MANY,
        grid=PaperGrid("the authors' demoqp_lmd0.m fixes as many anchors as clusters, in as many dimensions"),
        look=Look("wine", "h", "dashdot"),
    ),
    AlgorithmSpec(
        name="lmvsc",
        linear_memory=True,
        target="mvarena.algorithms.anchor.lmvsc:LMVSC",
        summary="samples as combinations of each view's own anchors, side by side; linear in n",
        source="Kang et al., Large-Scale Multi-View Subspace Clustering in Linear Time, AAAI 2020; "
        "the authors' program",
        capabilities=Capabilities(missing=False, deterministic=True),
        prepare=("fill-mean",),
        cost="time O(n r (d + r^2 s)) per view for r anchors, s of which a sample combines, memory O(n V r)",
        status="verified",
        grid=PaperGrid(
            "the authors' runlmv.m",
            (
                ("n_anchors", ("1k", 50, 100)),
                ("ridge", (0.01, 1.0, 100.0)),
            ),
        ),
        look=Look("black", "*", "dashed"),
    ),
    AlgorithmSpec(
        name="fastmice",
        linear_memory=True,
        target="mvarena.algorithms.anchor.fastmice:FastMICE",
        summary="an ensemble of clusterings of random views and features, through anchors; linear in n",
        source="Huang, Wang and Lai: Fast Multi-view Clustering via Ensembles: Towards Scalability, Superiority, and "
        "Simplicity, IEEE TKDE 2023; the authors' program",
        # views, features, anchors and numbers of clusters are drawn at random
        capabilities=Capabilities(missing=False),
        prepare=("fill-mean",),
        cost="time O(n (sqrt(p) + m) d + p^2 d) per clustering, 20 of them, for p anchors, memory O(n (d + m))",
        status="verified",
        grid=PaperGrid("the program fixes 20 clusterings, 1000 anchors and 5 neighbours"),
        decides="mvarena.algorithms.anchor.fastmice:distances_by_view",
        caveats="binary words beside links (WebKB): distance=euclidean has 2 to 11 points of NMI more; synthetic data: "
        "each clustering has a random share of the features, one or two of three",
        look=Look("vermilion", "o", "dashed"),
    ),
)
