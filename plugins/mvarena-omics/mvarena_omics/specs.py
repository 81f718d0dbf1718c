"""Names of the methods, their inputs and their sources."""

from __future__ import annotations

from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.specs import AlgorithmSpec

ALGORITHMS: tuple[AlgorithmSpec, ...] = (
    AlgorithmSpec(
        name="snf",
        target="mvarena_omics.snf:SNF",
        summary="the views' similarity networks, diffused through one another until they agree",
        source="Wang et al., Similarity network fusion for aggregating data types on a genomic scale, "
        "Nature Methods 2014",
        capabilities=Capabilities(missing=False, min_views=2, deterministic=True),
        prepare=("fill-mean", "zscore"),
        cost="time O(V (n^2 d + t n^2 K)) for K neighbours and t steps, memory O(V n^2)",
        status="from secondary sources",
    ),
    AlgorithmSpec(
        name="nemo",
        target="mvarena_omics.nemo:NEMO",
        summary="relative similarities within each view's neighbourhoods, averaged over the views that observe a pair",
        source="Rappoport and Shamir, NEMO: cancer subtyping by integration of partial multi-omic data, "
        "Bioinformatics 2019",
        capabilities=Capabilities(deterministic=True),
        prepare=("zscore",),
        cost="time O(V n^2 (d + log n)), memory O(n^2)",
        status="from secondary sources",
    ),
    AlgorithmSpec(
        name="mofa",
        target="mvarena_omics.mofa:MOFA",
        summary="factors that explain all views, by variational inference of the authors' program, and k-means",
        source="Argelaguet et al., Multi-Omics Factor Analysis, Molecular Systems Biology 2018; the program mofapy2",
        capabilities=Capabilities(sparse=False),
        prepare=("zscore",),
        cost="time O(t n D K) for K factors, D features and t iterations, memory O(n D)",
        status="verified",
    ),
)
