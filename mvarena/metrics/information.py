"""Mutual information of classes and clusters, normalised. The literature divides by three different means.

Where one labelling knows a single group and the other several, nothing is shared and the score is 0; where both know
a single group they are equal and it is 1 (scikit-learn's convention).
"""

from __future__ import annotations

import math

from mvarena.contracts.metric import Contingency


def nmi(table: Contingency) -> float:
    """2 I(C; K) / (H(C) + H(K)), the arithmetic mean below."""
    return _share(table, (table.class_entropy + table.cluster_entropy) / 2)


def nmi_max(table: Contingency) -> float:
    """I(C; K) / max(H(C), H(K)), the lowest of the three."""
    return _share(table, max(table.class_entropy, table.cluster_entropy))


def nmi_sqrt(table: Contingency) -> float:
    """I(C; K) / sqrt(H(C) H(K)), the geometric mean below."""
    return _share(table, math.sqrt(table.class_entropy * table.cluster_entropy))


def _share(table: Contingency, norm: float) -> float:
    if table.counts.size == 1:
        return 1.0
    if table.mutual_information == 0.0:
        return 0.0
    return min(1.0, table.mutual_information / norm)
