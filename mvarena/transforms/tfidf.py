"""tfidf: rare terms weigh more than common ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.feature_views import map_features
from mvarena.data import MultiViewData, View
from mvarena.errors import Incompatible
from mvarena.numerics.scaling import scale_columns


def tfidf(data: MultiViewData) -> MultiViewData:
    """Counts to tf * log(n / df), natural logarithm: n a view's observed rows, df those of them that hold the term.

    A term of every row weighs 0. Rows are not normalised: add unit-rows. Sparse views stay sparse.
    Raises Incompatible for negative values and for kernel and distance views. Cost O(entries).
    Source: Spaerck Jones, Journal of Documentation 1972.
    """

    def weighted(view: View, observed: NDArray[np.bool_]) -> Any:
        matrix = view.matrix
        if matrix.min() < 0:
            raise Incompatible(
                f"tfidf weighs term counts, and view '{view.name}' of {data.name} holds negative values; "
                "leave tfidf out."
            )
        if sparse.issparse(matrix):
            df = np.bincount(matrix.indices[matrix.data > 0], minlength=matrix.shape[1])
        else:
            df = (matrix > 0).sum(axis=0)
        idf = np.log(observed.sum() / np.maximum(df, 1))  # a term that never occurs has zero counts throughout
        return scale_columns(matrix, idf)

    return map_features("tfidf", data, weighted)
