"""What classes and clusters tell of each other, in the normalisations that the literature uses.

Where one labelling knows a single group and the other several, nothing is shared; where both know a single group they
are equal (scikit-learn's conventions). Each costs O(cells).
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


def homogeneity(table: Contingency) -> float:
    """1 - H(C|K) / H(C): 1 where every cluster holds one class only, as where there is only one class."""
    return 1.0 if len(table.classes) == 1 else _share(table, table.class_entropy)


def completeness(table: Contingency) -> float:
    """1 - H(K|C) / H(K): 1 where every class lies in one cluster only, as where there is only one cluster."""
    return 1.0 if len(table.clusters) == 1 else _share(table, table.cluster_entropy)


def v_measure(table: Contingency) -> float:
    """The harmonic mean of homogeneity and completeness; the same number as nmi.

    Source: Rosenberg and Hirschberg, EMNLP-CoNLL 2007.
    """
    h, c = homogeneity(table), completeness(table)
    return 2 * h * c / (h + c) if h + c else 0.0


def entropy(table: Contingency) -> float:
    """The classes' entropy within a cluster, in bits, averaged over samples: H(C|K) / ln 2; lower is better.

    A single cluster scores H(C), pure clusters 0. This is the Entropy of EMVC's tables: where their NMI is 0
    they print .757 for classes of 230 and 821 (H(C) is .758) and 1.000 for two equal classes.
    """
    return max(0.0, table.class_entropy - table.mutual_information) / math.log(2)


def entropy_normalized(table: Contingency) -> float:
    """`entropy` over its bound log2(number of classes): from 0 to 1, lower is better; 0 for a single class.

    Source: Zhao and Karypis, Machine Learning 2004, equation 6.
    """
    n_classes = len(table.classes)
    return 0.0 if n_classes == 1 else min(1.0, entropy(table) / math.log2(n_classes))


def _share(table: Contingency, norm: float) -> float:
    if table.counts.size == 1:
        return 1.0
    if table.mutual_information == 0.0:
        return 0.0
    return min(1.0, table.mutual_information / norm)
