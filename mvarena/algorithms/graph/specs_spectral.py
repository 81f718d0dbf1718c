"""What the spectral graph methods announce; light, so that listing them imports no numerical library."""

from __future__ import annotations

from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.specs import AlgorithmSpec

_FILLED = Capabilities(
    kinds=frozenset({"features", "kernel", "distance"}), missing=False, sparse=False, deterministic=True
)
_KUMAR = "Kumar, Rai and Daumé: Co-regularized Multi-view Spectral Clustering, NIPS 2011"

COREG_PAIRWISE = AlgorithmSpec(
    name="coreg-pairwise",
    target="mvarena.algorithms.graph.coreg:CoRegPairwise",
    summary="co-regularised spectral clustering, every pair of views pulled together",
    source=f"{_KUMAR}, section 3.1",
    capabilities=_FILLED,
    prepare=("fill-mean",),
    cost="O(n^2 d) and O(V n^2 k) per iteration; (V / 2 + 2) n^2 memory",
    version="3",
    status="verified",
)
COREG_CENTROID = AlgorithmSpec(
    name="coreg-centroid",
    target="mvarena.algorithms.graph.coreg:CoRegCentroid",
    summary="co-regularised spectral clustering, every view pulled towards a centroid",
    source=f"{_KUMAR}, section 3.2",
    capabilities=_FILLED,
    prepare=("fill-mean",),
    cost="O(n^2 d) and O(V n^2 k) per iteration; (V / 2 + 2) n^2 memory",
    version="3",
    status="verified",
)

RMSC = AlgorithmSpec(
    name="rmsc",
    target="mvarena.algorithms.graph.rmsc:RMSC",
    summary="robust spectral clustering: low-rank shared transition matrix, sparse errors",
    source="Xia, Pan, Du and Yin: Robust Multi-View Spectral Clustering, AAAI 2014",
    capabilities=_FILLED,
    prepare=("fill-mean",),
    cost="O(V n^2 + n^2 r) per iteration, r the rank; (V + 3) n^2 memory, (V + 6) n^2 at worst",
    version="3",
    status="verified",
)
AMGL = AlgorithmSpec(
    name="amgl",
    target="mvarena.algorithms.graph.amgl:AMGL",
    summary="one spectral embedding of all graphs, weighted without a parameter",
    source="Nie, Li and Li: Parameter-Free Auto-Weighted Multiple Graph Learning, IJCAI 2016",
    capabilities=_FILLED,
    prepare=("fill-mean",),
    cost="O(V n^2 + n^3) per iteration; (V + 4) n^2 memory",
    status="verified",
)


def _emvc(name: str, target: str, summary: str) -> AlgorithmSpec:
    return AlgorithmSpec(
        name=name,
        target=f"mvarena.algorithms.graph.emvc:{target}",
        summary=summary,
        source="Najafi, He and Yu: Error-Robust Multi-View Clustering, 2017, Algorithm 3",
        capabilities=_FILLED,
        prepare=("fill-mean",),
        cost="O(V n^2 + n^2 r) per iteration, r the rank; (V + 6) n^2 memory",
        version="3",
        status="verified",
    )


EMVC = _emvc("emvc", "EMVC", "low-rank Markov chain with row-wise and column-wise errors")
EMVC_TRACE = _emvc("emvc-trace", "EMVCTrace", "emvc's ablation: the trace norm alone")
EMVC_G1 = _emvc("emvc-g1", "EMVCG1", "emvc's ablation: column-wise errors alone")
EMVC_L21 = _emvc("emvc-l21", "EMVCL21", "emvc's ablation: row-wise errors alone")

CGC = AlgorithmSpec(
    name="cgc",
    target="mvarena.algorithms.graph.cgc:CGC",
    summary="co-regularised graph clustering: one nonnegative factor per graph, tied where samples are shared",
    source="Cheng, Zhang, Guo, Wu, Sullivan and Wang: Co-Regularized Multi-Domain Graph Clustering, KDD 2013",
    capabilities=Capabilities(
        kinds=frozenset({"features", "kernel", "distance"}), missing=True, sparse=False, deterministic=True
    ),
    cost="O(V n^2 k) per iteration; (V + 3) n^2 memory",
    status="from secondary sources",
)

MVGL = AlgorithmSpec(
    name="mvgl",
    target="mvarena.algorithms.graph.mvgl:MVGL",
    summary="a global graph with exactly k connected components, learned from one graph per view",
    source="Zhan, Zhang, Guan and Wang: Graph Learning for Multiview Clustering, IEEE Trans. Cybernetics 2018",
    capabilities=Capabilities(
        kinds=frozenset({"features", "distance"}), missing=False, sparse=False, deterministic=True
    ),
    prepare=("fill-mean",),
    cost="O(n^3) per change of lambda, up to 30 per iteration; (V + 6) n^2 memory",
    status="verified",
)

SPECS: tuple[AlgorithmSpec, ...] = (
    COREG_PAIRWISE,
    COREG_CENTROID,
    RMSC,
    AMGL,
    EMVC,
    EMVC_TRACE,
    EMVC_G1,
    EMVC_L21,
    CGC,
    MVGL,
)
