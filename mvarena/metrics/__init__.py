"""Scores, announced through a hook like any plugin's: one module per idea."""

from __future__ import annotations

import math

from mvarena.contracts.hooks import hookimpl
from mvarena.contracts.specs import MetricSpec

EXTERNAL = (
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
        name="ami",
        target="mvarena.metrics.chance:ami",
        summary="mutual information adjusted for chance: 0 in expectation at random, 1 for equal partitions",
        source="Vinh, Epps and Bailey, JMLR 2010",
        lowest=-1.0,
    ),
    MetricSpec(
        name="ari",
        target="mvarena.metrics.pair_counts:ari",
        summary="Rand index adjusted for chance: 0 in expectation at random, 1 for equal partitions",
        source="Hubert and Arabie, Journal of Classification 1985",
        lowest=-0.5,
    ),
    MetricSpec(
        name="rand",
        target="mvarena.metrics.pair_counts:rand",
        summary="Rand index: the share of pairs on which classes and clusters agree, together or apart",
        source="Rand, JASA 1971",
    ),
    MetricSpec(
        name="pair-f",
        target="mvarena.metrics.pair_counts:pair_f",
        summary="F-score over pairs: the harmonic mean of pair precision and pair recall",
    ),
    MetricSpec(
        name="pair-precision",
        target="mvarena.metrics.pair_counts:pair_precision",
        summary="of the pairs that share a cluster, the share that also share a class",
    ),
    MetricSpec(
        name="pair-recall",
        target="mvarena.metrics.pair_counts:pair_recall",
        summary="of the pairs that share a class, the share that also share a cluster",
    ),
    MetricSpec(
        name="fowlkes-mallows",
        target="mvarena.metrics.pair_counts:fowlkes_mallows",
        summary="the geometric mean of pair precision and pair recall",
        source="Fowlkes and Mallows, JASA 1983",
    ),
    MetricSpec(
        name="homogeneity",
        target="mvarena.metrics.information:homogeneity",
        summary="1 - H(C|K) / H(C): 1 where every cluster holds one class only",
        source="Rosenberg and Hirschberg, EMNLP-CoNLL 2007",
    ),
    MetricSpec(
        name="completeness",
        target="mvarena.metrics.information:completeness",
        summary="1 - H(K|C) / H(K): 1 where every class lies in one cluster only",
        source="Rosenberg and Hirschberg, EMNLP-CoNLL 2007",
    ),
    MetricSpec(
        name="v-measure",
        target="mvarena.metrics.information:v_measure",
        summary="the harmonic mean of homogeneity and completeness; the same number as nmi",
        source="Rosenberg and Hirschberg, EMNLP-CoNLL 2007",
    ),
    MetricSpec(
        name="entropy",
        target="mvarena.metrics.information:entropy",
        summary="the classes' entropy within a cluster, in bits, averaged over samples; lower is better",
        source="the form of EMVC's tables",
        higher_is_better=False,
        highest=math.inf,
    ),
    MetricSpec(
        name="entropy-normalized",
        target="mvarena.metrics.information:entropy_normalized",
        summary="the average entropy over its bound log2(number of classes); lower is better",
        source="Zhao and Karypis, Machine Learning 2004",
        higher_is_better=False,
    ),
)

INTERNAL = (
    MetricSpec(
        name="silhouette",
        target="mvarena.metrics.internal:silhouette",
        summary="mean silhouette (b - a) / max(a, b) on the embedding; needs no classes",
        source="Rousseeuw, Journal of Computational and Applied Mathematics 1987",
        lowest=-1.0,
        needs="points",
    ),
    MetricSpec(
        name="silhouette-views",
        target="mvarena.metrics.internal:silhouette_views",
        summary="mean silhouette on each view's observed samples, averaged over feature views; needs no classes",
        source="Rousseeuw, Journal of Computational and Applied Mathematics 1987",
        lowest=-1.0,
        needs="points",
    ),
    MetricSpec(
        name="davies-bouldin",
        target="mvarena.metrics.internal:davies_bouldin",
        summary="spread of clusters over distance between their centroids, on the embedding; lower is better",
        source="Davies and Bouldin, IEEE TPAMI 1979",
        higher_is_better=False,
        highest=math.inf,
        needs="points",
    ),
    MetricSpec(
        name="davies-bouldin-views",
        target="mvarena.metrics.internal:davies_bouldin_views",
        summary="Davies-Bouldin index on each view's observed samples, averaged over feature views; lower is better",
        source="Davies and Bouldin, IEEE TPAMI 1979",
        higher_is_better=False,
        highest=math.inf,
        needs="points",
    ),
    MetricSpec(
        name="calinski-harabasz",
        target="mvarena.metrics.internal:calinski_harabasz",
        summary="variance between clusters over variance within, per degree of freedom, on the embedding",
        source="Calinski and Harabasz, Communications in Statistics 1974",
        highest=math.inf,
        needs="points",
    ),
    MetricSpec(
        name="calinski-harabasz-views",
        target="mvarena.metrics.internal:calinski_harabasz_views",
        summary="Calinski-Harabasz index on each view's observed samples, averaged over feature views",
        source="Calinski and Harabasz, Communications in Statistics 1974",
        highest=math.inf,
        needs="points",
    ),
    MetricSpec(
        name="stability",
        target="mvarena.metrics.stability:stability",
        summary="mean adjusted Rand index over all pairs of a trial's restarts; needs no classes",
        lowest=-0.5,
        needs="restarts",
    ),
)


@hookimpl
def mvarena_metrics() -> tuple[MetricSpec, ...]:
    return EXTERNAL + INTERNAL
