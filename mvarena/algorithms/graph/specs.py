"""Specs of the graph methods."""

from __future__ import annotations

from dataclasses import replace

from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.specs import AlgorithmSpec, Look, PaperGrid

_ANY = Capabilities(kinds=frozenset({"features", "kernel", "distance"}), deterministic=True)
_KUMAR = "Kumar, Rai and Daumé: Co-regularized Multi-view Spectral Clustering, NIPS 2011"
_COREG_COST = "O(n^2 d) and O(V n^2 k) per iteration; (V / 2 + 2) n^2 memory, 2 n^2 more per thread"
_COREG_GRID = PaperGrid(
    "the paper's experiments; the demo of its program takes 0.5 on drawn data",
    (("lam", (0.01, 0.02, 0.03, 0.04, 0.05)),),
    by_classes=True,
)


_EMVC_GRID = "section IV-D: of 1e-9 to 1e9 each"
_SOME = (1e-6, 1e-3, 1.0)
_EVERY_SECOND = (1e-9, 1e-7, 1e-5, 1e-3, 0.1, 10.0, 1e3, 1e5, 1e7, 1e9)


def _emvc(
    name: str, target: str, summary: str, look: Look, grid: PaperGrid, takes: Capabilities = _ANY, caveats: str = ""
) -> AlgorithmSpec:
    return AlgorithmSpec(
        name=name,
        target=f"mvarena.algorithms.graph.emvc:{target}",
        summary=summary,
        source="Najafi, He and Yu: Error-Robust Multi-View Clustering, 2017, Algorithm 3",
        capabilities=takes,
        prepare=("fill-mean",),
        cost="O(V n^2 + n^2 r) per iteration, r the rank; (V + 6) n^2 memory",
        version="5",
        status="verified",
        grid=grid,
        caveats=caveats,
        units="the paper's text takes the median distance for a squared one; squared_width=median-squared has no unit",
        look=look,
    )


_WHOLE_ROWS = (
    "only whole rows or columns count as errors, and those of single entries stay in the shared matrix "
    "(tcga-gbm-subtypes: rmsc, which counts entries, has 61 NMI, emvc 21)"
)
_YALE = "kernels: the cause is not known; on kernel-yale no weight of the errors from 0.001 to 1 helps"
_PARTS = "clusters are connected components, and a sample far from all others is one"
_NEAR_PAIRS = "other data: clusters are connected components, which near samples of two classes join"
_LEVEL = (
    "other data, synthetic data: standardised samples of views of few features lose their level, so set "
    "standardize=False (pic on wdbc: 52 NMI for 34, on synthetic3d 88 for 3)"
)

SPECS: tuple[AlgorithmSpec, ...] = (
    AlgorithmSpec(
        name="apmc",
        linear_memory=True,
        target="mvarena.algorithms.graph.apmc:APMC",
        summary="similarities through anchors, the samples that two views share",
        source="Guo and Ye, Anchors bring ease, AAAI 2019, algorithm 1 and section 4; the authors' program",
        # not deterministic: with n_anchors, anchors are drawn at random
        capabilities=Capabilities(min_views=2, single=True),
        # section 5.3 rescales to [0, 1] first, for methods that take no negative entries; the program does not, and
        # Table 1 is met only so: with it 3Sources falls 10 points of ACC below
        prepare=("unit-rows",),
        cost="time O(n l d) per pair of views for l anchors, memory O(n m V^2 + 2^V l); never n x n",
        version="2",
        status="verified",
        grid=PaperGrid("section 5.4 and Figure 4", (("n_neighbors", (2, 4, 6, 8, 10, 12, 14)),)),
        look=Look("blue", "o", "solid"),
    ),
    AlgorithmSpec(
        name="coreg-pairwise",
        target="mvarena.algorithms.graph.coreg:CoRegPairwise",
        summary="co-regularised spectral clustering, every pair of views pulled together",
        source=f"{_KUMAR}, section 3.1",
        capabilities=_ANY,
        prepare=("fill-mean",),
        cost=_COREG_COST,
        version="4",
        status="verified",
        grid=_COREG_GRID,
        look=Look("blue", ">", "dashed"),
    ),
    AlgorithmSpec(
        name="coreg-centroid",
        target="mvarena.algorithms.graph.coreg:CoRegCentroid",
        summary="co-regularised spectral clustering, every view pulled towards a centroid",
        source=f"{_KUMAR}, section 3.2",
        capabilities=_ANY,
        prepare=("fill-mean",),
        cost=_COREG_COST,
        version="4",
        status="verified",
        grid=_COREG_GRID,
        look=Look("orange", "h", "dashdot"),
    ),
    AlgorithmSpec(
        name="rmsc",
        target="mvarena.algorithms.graph.rmsc:RMSC",
        summary="robust spectral clustering: low-rank shared transition matrix, sparse errors",
        source="Xia, Pan, Du and Yin: Robust Multi-View Spectral Clustering, AAAI 2014",
        capabilities=_ANY,
        prepare=("fill-mean",),
        cost="O(V n^2 + n^2 r) per iteration, r the rank; (V + 3) n^2 memory, (V + 6) n^2 at worst, "
        "(V + 1) n^2 more with solver=paper",
        version="5",
        status="verified",
        caveats="links: chains of transitions fall apart where samples have no neighbours",
        grid=PaperGrid(
            "0.005 to 100, the authors' advice by Chen et al. 2019, section 4.1",
            (("lam", (0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 50.0, 100.0)),),
            by_classes=True,
        ),
        look=Look("wine", "*", "short"),
    ),
    AlgorithmSpec(
        name="amgl",
        target="mvarena.algorithms.graph.amgl:AMGL",
        summary="one spectral embedding of all graphs, weighted without a parameter",
        source="Nie, Li and Li: Parameter-Free Auto-Weighted Multiple Graph Learning, IJCAI 2016",
        capabilities=_ANY,
        prepare=("fill-mean",),
        cost="O(V n^2 + n^3) per iteration; (V + 4) n^2 memory, up to 2 V n^2 on many threads",
        status="verified",
        caveats="links, omics: views weigh by smoothness, which samples without neighbours give for nothing",
        grid=PaperGrid("parameter-free"),
        look=Look("vermilion", "p", "dashdot"),
    ),
    _emvc(
        "emvc",
        "EMVC",
        "low-rank Markov chain with row-wise and column-wise errors",
        Look("indigo", "P", "solid"),
        PaperGrid(_EMVC_GRID, (("beta", _SOME), ("lam", _SOME))),
        caveats=f"omics, other data: {_WHOLE_ROWS}; {_YALE}",
    ),
    _emvc(
        "emvc-trace",
        "EMVCTrace",
        "emvc's ablation: the trace norm alone",
        Look("indigo", "s", "dashdot"),
        PaperGrid("section IV-D: it has neither weight"),
        # without the error terms nothing holds its singular vectors, which rounding turns (5e-6 on 150 samples)
        replace(_ANY, any_threads=False),
        caveats="all data: without an error term noisy transitions stay, as the paper's ablation shows",
    ),
    _emvc(
        "emvc-g1",
        "EMVCG1",
        "emvc's ablation: column-wise errors alone",
        Look("indigo", "o", "short"),
        PaperGrid(_EMVC_GRID, (("lam", _EVERY_SECOND),)),
    ),
    _emvc(
        "emvc-l21",
        "EMVCL21",
        "emvc's ablation: row-wise errors alone",
        Look("indigo", "^", "dotted"),
        PaperGrid(_EMVC_GRID, (("beta", _EVERY_SECOND),)),
        caveats="images: an ablation; errors of single columns stay in the shared matrix; "
        f"omics: {_WHOLE_ROWS}; {_YALE}",
    ),
    AlgorithmSpec(
        name="cgc",
        target="mvarena.algorithms.graph.cgc:CGC",
        summary="co-regularised graph clustering: one nonnegative factor per graph, tied where samples are shared",
        source="Cheng, Zhang, Guo, Wu, Sullivan and Wang: Co-Regularized Multi-Domain Graph Clustering, KDD 2013, "
        "as Shao, He and Yu (MIC, 2015) describe it",
        capabilities=_ANY,
        cost="O(V n^2 k) per iteration; (V + 3) n^2 memory",
        status="from secondary sources",
        caveats="most data: similarities are factorised without degrees, so dense groups take several factors; views "
        "seen by few samples: entries of their graphs are larger, so which views a sample has separates samples",
        grid=PaperGrid("MIC, section 4.1, fixes lambda = 1 as the original paper does"),
        look=Look("pink", "*", "dashdot"),
    ),
    AlgorithmSpec(
        name="mvgl",
        version="3",
        target="mvarena.algorithms.graph.mvgl:MVGL",
        summary="a global graph with exactly k connected components, learned from one graph per view",
        source="Zhan, Zhang, Guan and Wang: Graph Learning for Multiview Clustering, IEEE Trans. Cybernetics 2018, "
        "and its published code",
        capabilities=Capabilities(kinds=frozenset({"features", "distance"}), deterministic=True),
        prepare=("fill-mean",),
        cost="O(n^3) per change of lambda, up to 30 per iteration; (V + 10) n^2 memory",
        status="verified",
        caveats=f"links, omics: {_PARTS}; {_NEAR_PAIRS}",
        grid=PaperGrid("the authors' MVGL_demo.m, one for each of four data sets", (("n_neighbors", (3, 15, 40, 50)),)),
        look=Look("indigo", "<", "dashdot"),
    ),
    AlgorithmSpec(
        name="pic",
        target="mvarena.algorithms.graph.pic:PIC",
        summary="graphs completed by the other views' rows, weighted by how little they perturb one another",
        source="Wang, Zong, Liu, Yang and Zhou: Spectral Perturbation Meets Incomplete Multi-view Data, IJCAI 2019; "
        "the authors' program",
        capabilities=_ANY,
        cost="O(n^2 d) and O(V n^3); (2 V + 5) n^2 memory",
        status="verified",
        caveats=_LEVEL,
        grid=PaperGrid("the authors' main_pic.m fixes 15 neighbours, a survey's program 13, both beta = 0.1"),
        look=Look("wine", "v", "dashed"),
    ),
    AlgorithmSpec(
        name="awp",
        target="mvarena.algorithms.graph.awp:AWP",
        summary="clusters on which all views' spectral embeddings, rotated and weighted by their fit, agree",
        source="Nie, Tian and Li: Multiview Clustering via Adaptively Weighted Procrustes, KDD 2018; "
        "the program in Liang's collection",
        capabilities=Capabilities(kinds=frozenset({"features", "kernel"}), missing=False, deterministic=True),
        prepare=("fill-mean",),
        cost="O(V n^3) once and O(V n k^2) per iteration; (V + 4) n^2 memory",
        version="2",
        status="verified",
        caveats="images beside texts: views weigh by how well they fit the common clusters, also wrong ones",
        grid=PaperGrid("parameter-free"),
        look=Look("orange", ">", "dotted"),
    ),
    AlgorithmSpec(
        name="gmc",
        target="mvarena.algorithms.graph.gmc:GMC",
        summary="the views' graphs, their weights and one graph with exactly k connected components, learned together",
        source="Wang, Yang and Liu: GMC: Graph-Based Multi-View Clustering, IEEE TKDE 2020; the authors' program",
        capabilities=Capabilities(
            kinds=frozenset({"features", "kernel", "distance"}), missing=False, deterministic=True
        ),
        prepare=("fill-mean",),
        cost="O(n^3) per step, at most 20 of them, and O(V n^2 d) once; (V + 9) n^2 memory",
        status="verified",
        caveats=f"links, omics, images beside texts: {_PARTS}; {_NEAR_PAIRS}; {_LEVEL}",
        grid=PaperGrid("the program fixes 15 neighbours and adapts lambda"),
        look=Look("sky", "<", "dashed"),
    ),
    AlgorithmSpec(
        name="mcgc",
        target="mvarena.algorithms.graph.mcgc:MCGC",
        summary="a graph with exactly k connected components, nearest to spectral embeddings that agree with it",
        source="Zhan, Nie, Wang and Yang: Multiview Consensus Graph Clustering, IEEE Trans. Image Processing 2019; "
        "the authors' program",
        capabilities=Capabilities(kinds=frozenset({"features", "distance"}), missing=False, deterministic=True),
        prepare=("fill-mean",),
        cost="O(n^3) per change of the pull, up to 30 per view and 50 in each of 5 steps; (V + 9) n^2 memory",
        status="verified",
        caveats=f"links, omics, images, images beside texts: {_PARTS}",
        grid=PaperGrid(
            "the authors' demo_MVCC.m, one for each of three data sets; beta = 0.6", (("n_neighbors", (3, 20, 23)),)
        ),
        look=Look("green", "*", "dotted"),
    ),
)
