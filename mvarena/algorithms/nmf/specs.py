"""Specs of the factorisations."""

from __future__ import annotations

from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.specs import AlgorithmSpec, Look, PaperGrid

_SHARED = "nonnegative factors are parts that samples share, which need not be clusters"
_FACTORS = f"most data: {_SHARED}"
_UNIT_ROWS = "the data term is in squared units of the features; the weights beside it are for rows of unit length"

SPECS: tuple[AlgorithmSpec, ...] = (
    AlgorithmSpec(
        name="multinmf",
        linear_memory=True,
        target="mvarena.algorithms.nmf.multinmf:MultiNMF",
        summary="joint nonnegative factorisations pulled towards a consensus",
        source="Liu, Wang, Gao and Han, SDM 2013",
        capabilities=Capabilities(negative=False, missing=False, deterministic=True),
        prepare=("fill-mean",),
        cost="time O(max_iter steps (nnz k + n V k^2)), memory O((n V + d) k)",
        status="verified",
        caveats=_FACTORS,
        grid=PaperGrid("experiments: the weight of the consensus is 0.01"),
        look=Look("green", "p", "dashed"),
    ),
    AlgorithmSpec(
        name="mic",
        linear_memory=True,
        target="mvarena.algorithms.nmf.mic:MIC",
        summary="weighted joint nonnegative factorisation of filled views with L2,1 regularisation",
        source="Shao, He and Yu, ECML PKDD 2015, Eq. 4",
        capabilities=Capabilities(negative=False, deterministic=True),
        cost="time O(max_iter steps (nnz k + n V k^2 + d k log d)), memory O((n V + d) k)",
        status="verified",
        caveats=_FACTORS,
        grid=PaperGrid("section 4.1 fixes both weights, 0.01"),
        look=Look("vermilion", "s", "solid"),
    ),
    AlgorithmSpec(
        name="daimc",
        linear_memory=True,
        target="mvarena.algorithms.nmf.daimc:DAIMC",
        summary="one nonnegative representation of all views, aligned by regression of the bases",
        source="Hu and Chen, IJCAI 2018",
        capabilities=Capabilities(deterministic=True),
        prepare=("unit-rows",),
        cost="time O(max_iter (nnz k + n V k^2 + d k^2)) after one k-means, memory O((n + d) k)",
        status="verified",
        caveats=f"other data, synthetic data: {_SHARED}",
        grid=PaperGrid(
            "two programs: (10, 1) beside PIC's, (0.0001, 10000) in a survey's",
            (
                ("alpha", (0.0001, 10.0)),
                ("beta", (10000.0, 1.0)),
            ),
        ),
        units=_UNIT_ROWS,
        version="2",
        look=Look("indigo", "X", "dashdotdot"),
    ),
    AlgorithmSpec(
        name="pvc",
        linear_memory=True,
        target="mvarena.algorithms.nmf.pvc:PVC",
        summary="two partial views share the representation of their common samples",
        source="Li, Jiang and Zhou, AAAI 2014",
        capabilities=Capabilities(negative=False, min_views=2, max_views=2, complete_samples=1, deterministic=True),
        cost="time O(max_iter (nnz k + sweeps (n + d) k^2)), memory O((n + d) k)",
        status="verified",
        caveats=f"images: {_SHARED}",
        grid=PaperGrid("lambda = 0.01, as MIC, section 4.1, says of the original"),
        units=_UNIT_ROWS,
        look=Look("black", ">", "short"),
    ),
    AlgorithmSpec(
        name="img",
        version="2",
        target="mvarena.algorithms.nmf.img:IMG",
        summary="two partial views, one representation and the graph over all samples that fits it",
        source="Zhao, Liu and Fu, IJCAI 2016",
        capabilities=Capabilities(min_views=2, max_views=2, complete_samples=1, deterministic=True),
        cost="time O(max_iter n^2 (n + k + log n)), memory 9 matrices n x n",
        status="verified",
        grid=PaperGrid("the authors' demo_IMG.m fixes its three weights"),
        units=_UNIT_ROWS,
        look=Look("pink", "h", "dashed"),
    ),
    AlgorithmSpec(
        name="rnnmf",
        linear_memory=True,
        version="2",
        target="mvarena.algorithms.nmf.rnnmf:RNNMF",
        summary="L2,1 factorisation per view in which nearest neighbours stay close, then a graph cut",
        source="Chen, Li, Wang and Pan, 2019, Eq. 4",
        capabilities=Capabilities(negative=False, missing=False, deterministic=True),
        prepare=("fill-mean",),
        cost="time O(max_iter (nnz p + n^2 p)), memory O((n V + d) p) and a block of rows",
        status="from the paper",
        caveats="texts, links: the default is the paper's 60 components for images; for these it takes 20",
        grid=PaperGrid(
            "section 4.3", (("alpha", (0.0, 0.0001, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0)),), by_classes=True
        ),
        look=Look("orange", "D", "solid"),
    ),
    AlgorithmSpec(
        name="dsnmf",
        linear_memory=True,
        target="mvarena.algorithms.nmf.dsnmf:DSNMF",
        summary="deep semi-nonnegative factorisation with a last layer that all views share",
        version="3",
        source="Zhao, Ding and Fu, AAAI 2017",
        capabilities=Capabilities(missing=False, deterministic=True),
        prepare=("fill-mean", "unit-rows"),
        cost="time O(max_iter min(nnz, n^2) p + n^2 d), memory O((n + d) p), n^2 where d > n, and a block of rows",
        status="verified",
        caveats="images, omics, images beside texts: it ends near its start, which the hidden layer spoils on some "
        "data and betters on others (layers=[k] has none); synthetic data: features are not centred "
        "(synthetic3d, centred: 57 NMI for 19)",
        grid=PaperGrid("the authors' demo_DMF.m fixes beta = 0.01, 5 neighbours, gamma and the layers"),
        units=_UNIT_ROWS,
        look=Look("blue", "s", "dashed"),
    ),
    AlgorithmSpec(
        name="pimvc",
        linear_memory=True,
        target="mvarena.algorithms.nmf.pimvc:PIMVC",
        summary="projections of all views onto one embedding that is smooth over the views' neighbours",
        source="Deng et al., Projective Incomplete Multi-View Clustering, IEEE TNNLS 2023; the authors' program",
        capabilities=Capabilities(deterministic=True),
        prepare=("unit-rows",),
        cost="time O(n^2 d) for the neighbours, n^1.5 d above n = 20,000, O(d^3) once per view (n^3 where n < d) and "
        "O(n d k) per iteration, "
        "memory O(n d + d^2)",
        status="verified",
        grid=PaperGrid(
            "the authors' demo.m names 1e-5 to 1e5 for each",
            (("ridge", (1e-5, 0.01, 10.0, 1e5)), ("smoothness", (1e-5, 1.0, 1e5))),
        ),
        look=Look("sky", "D", "dashdot"),
    ),
    AlgorithmSpec(
        name="opimc",
        linear_memory=True,
        target="mvarena.algorithms.nmf.opimc:OPIMC",
        summary="one pass over blocks of samples: bases of each view and clusters in turn; memory of one block",
        source="Hu and Chen, One-Pass Incomplete Multi-View Clustering, AAAI 2019; a survey's program",
        # not deterministic: blocks and the start of the first one are drawn
        capabilities=Capabilities(),
        prepare=("unit-rows",),
        cost="time O(max_iter nnz k) per pass, with start=random n_starts times that for the first block; "
        "memory O(n V + d k) and a block of rows",
        status="verified",
        grid=PaperGrid("a survey's program fixes alpha = 10 and blocks of 30 samples"),
        look=Look("black", "P", "dashdotdot"),
    ),
    AlgorithmSpec(
        name="ueaf",
        target="mvarena.algorithms.nmf.ueaf:UEAF",
        summary="one embedding that fills what views miss, smooth over a graph that is learned with it",
        source="Wen, Zhang, Xu, Zhang, Fei and Liu: Unified Embedding Alignment with Missing Views Inferring for "
        "Incomplete Multi-View Clustering, AAAI 2019; the authors' program",
        capabilities=Capabilities(deterministic=True),
        prepare=("unit-rows",),
        cost="time O(n^3 + nnz k) per iteration and O(n d^2) once, memory 9 n^2",
        version="2",
        status="verified",
        caveats="images, omics, other data, synthetic data: of few clusters, what tells them apart is the length of "
        "P's rows, which is dropped; images, omics: with all three settings of the program",
        grid=PaperGrid(
            "the authors' program: one setting for each missing rate",
            (
                ("smoothness", (0.1, 0.01, 1e-05)),
                ("graph", (0.01, 0.1, 10.0)),
            ),
        ),
        look=Look("wine", "D", "dotted"),
    ),
    AlgorithmSpec(
        name="opmc",
        version="2",
        linear_memory=True,
        target="mvarena.algorithms.nmf.opmc:OPMC",
        summary="clusters of all views at once, each with centres in a space of k dimensions; linear in n",
        source="Liu et al., One-Pass Multi-View Clustering for Large-Scale Data, ICCV 2021; the authors' program",
        capabilities=Capabilities(missing=False, deterministic=True),
        # the program standardises each sample over its features; rows of unit length come near to that and stay sparse
        prepare=("fill-mean", "unit-rows"),
        cost="time O(max_iter (nnz k + d k^2)), memory O((n + d) k)",
        status="verified",
        grid=PaperGrid("parameter-free"),
        look=Look("vermilion", "X", "solid"),
    ),
)
