"""What this plugin provides. Keep this module light: it is read whenever mvarena starts."""

from __future__ import annotations

from mvarena import hookimpl
from mvarena.contracts.specs import AlgorithmSpec, MetricSpec

MEAN_EMBEDDING = AlgorithmSpec(
    name="mean-embedding",
    target="mvarena_example.mean_embedding:MeanEmbedding",
    summary="the leading singular vectors of each view, side by side; missing rows are zero",
    source="an example, from no paper",
    cost="time O(n d min(n, d)) per view, memory O(n d)",
    prepare=("unit-rows",),
)
LARGEST_CLUSTER = MetricSpec(
    name="largest-cluster",
    target="mvarena_example.largest_cluster:largest_cluster",
    summary="the share of the samples in the largest cluster",
    higher_is_better=False,
)


@hookimpl
def mvarena_algorithms() -> list[AlgorithmSpec]:
    return [MEAN_EMBEDDING]


@hookimpl
def mvarena_metrics() -> list[MetricSpec]:
    return [LARGEST_CLUSTER]
