"""tfidf: rare terms weigh more than common ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.data import MultiViewData, View
from mvarena.errors import Incompatible
from mvarena.numerics.scaling import scale_columns
from mvarena.transforms.on_features import each_feature_view


def tfidf(data: MultiViewData) -> MultiViewData:
    """Counts to tf * log(n / df), natural logarithm: n a view's observed rows, df those of them that hold the term.

    A term of every row weighs 0. Rows are not normalised: add unit-rows. Sparse views stay sparse, kernel and distance
    views stay as they are. Raises Incompatible for negative values, or where no view holds features. Cost O(entries).
    Source: Spaerck Jones, Journal of Documentation 1972.
    """

    def weighted(view: View, observed: NDArray[np.bool_]) -> Any:
        if view.matrix.min() < 0:
            raise Incompatible(
                f"tfidf weighs term counts, and view '{view.name}' of {data.name} holds negative values; "
                "leave tfidf out."
            )
        return weighted_terms(view.matrix, observed)

    return each_feature_view("tfidf", data, weighted)


def weighted_terms(matrix: Any, observed: NDArray[np.bool_]) -> Any:
    """tf * log(n / df) for nonnegative counts (n, d), dense or CSR, of which rows that are not observed are zero."""
    if sparse.issparse(matrix):
        df = np.bincount(matrix.indices[matrix.data > 0], minlength=matrix.shape[1])
    else:
        df = (matrix > 0).sum(axis=0)
    idf = np.log(observed.sum() / np.maximum(df, 1))  # a term that never occurs has zero counts throughout
    return scale_columns(matrix, idf)
