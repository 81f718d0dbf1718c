"""Scores, announced through a hook like any plugin's: one module per idea."""

from __future__ import annotations

from mvarena.contracts.hooks import hookimpl
from mvarena.contracts.specs import MetricSpec

_SPECS = (
    MetricSpec(
        name="acc",
        target="mvarena.metrics.accuracy:acc",
        summary="clustering accuracy: the share of samples in the cluster matched with their class (Hungarian)",
        source="Kuhn 1955 for the matching",
    ),
    MetricSpec(
        name="purity",
        target="mvarena.metrics.accuracy:purity",
        summary="the share of samples that belong to their cluster's largest class",
    ),
    MetricSpec(
        name="nmi",
        target="mvarena.metrics.information:nmi",
        summary="normalised mutual information, arithmetic: 2 I(C; K) / (H(C) + H(K))",
        source="Strehl and Ghosh, JMLR 2002; the form of PVC, co-regularised spectral clustering, IMG",
    ),
    MetricSpec(
        name="nmi-max",
        target="mvarena.metrics.information:nmi_max",
        summary="normalised mutual information, I(C; K) / max(H(C), H(K))",
        source="the form of the MKKM group",
    ),
    MetricSpec(
        name="nmi-sqrt",
        target="mvarena.metrics.information:nmi_sqrt",
        summary="normalised mutual information, I(C; K) / sqrt(H(C) H(K))",
        source="Strehl and Ghosh, JMLR 2002; the form of MIC and MultiNMF",
    ),
    MetricSpec(
        name="ari",
        target="mvarena.metrics.pair_counts:ari",
        summary="Rand index adjusted for chance: 0 in expectation at random, 1 for equal partitions",
        source="Hubert and Arabie, Journal of Classification 1985",
        lowest=-0.5,
    ),
)


@hookimpl
def mvarena_metrics() -> tuple[MetricSpec, ...]:
    return _SPECS
