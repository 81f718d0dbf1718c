"""What the components are called, what they take, where they come from."""

from __future__ import annotations

from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.specs import AlgorithmSpec, MetricSpec

MEAN_EMBEDDING = AlgorithmSpec(
    name="mean-embedding",
    target="mvarena_example.mean_embedding:MeanEmbedding",
    summary="the leading singular vectors of each view, side by side; missing rows are zero",
    source="an example, from no paper",
    capabilities=Capabilities(deterministic=True),
    cost="time O(n d min(n, d)) per view, memory O(n d)",
    prepare=("unit-rows",),
)
PAIR_JACCARD = MetricSpec(
    name="pair-jaccard",
    target="mvarena_example.pair_jaccard:pair_jaccard",
    summary="Jaccard index of pairs: those together in class and cluster, of those together in one of the two",
    source="Jaccard 1912",
)

ALGORITHMS: tuple[AlgorithmSpec, ...] = (MEAN_EMBEDDING,)
METRICS: tuple[MetricSpec, ...] = (PAIR_JACCARD,)
