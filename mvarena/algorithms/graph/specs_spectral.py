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
    cost="O(n^2 d + V n^2 k) per iteration; (V + 2) n^2 memory",
    status="verified",
)
COREG_CENTROID = AlgorithmSpec(
    name="coreg-centroid",
    target="mvarena.algorithms.graph.coreg:CoRegCentroid",
    summary="co-regularised spectral clustering, every view pulled towards a centroid",
    source=f"{_KUMAR}, section 3.2",
    capabilities=_FILLED,
    prepare=("fill-mean",),
    cost="O(n^2 d + V n^2 k) per iteration; (V + 2) n^2 memory",
    status="verified",
)

SPECS: tuple[AlgorithmSpec, ...] = (COREG_PAIRWISE, COREG_CENTROID)
