"""Names of the methods, their inputs and their sources."""

from __future__ import annotations

from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.specs import AlgorithmSpec, PaperGrid

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
        grid=PaperGrid(
            "Methods: 10 to 30 neighbours, mu of 0.3 to 0.8", (("n_neighbors", (10, 20, 30)), ("mu", (0.3, 0.5, 0.8)))
        ),
        units="distances count beside their squares in the similarity, as printed; similarity=normal has no unit",
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
        grid=PaperGrid("Methods: the neighbours are the samples by the clusters"),
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
        grid=PaperGrid("the program fixes ten factors"),
        caveats="texts: factors of centred, standardised terms are near chance, by the authors' program itself; "
        "images, links, omics: ten linear factors tell less than all features; other data: factors count alike, "
        "however little they explain; images beside texts: standardised features count alike, and images have the most "
        "(k-means of all features, standardised, does no better)",
    ),
)
