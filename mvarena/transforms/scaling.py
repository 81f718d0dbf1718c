"""Scalings: minmax, zscore, unit-rows, unit-view, tfidf, shift-nonnegative, by the rows that a view observes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.feature_views import each_feature_view
from mvarena.data import MultiViewData, View
from mvarena.errors import Incompatible
from mvarena.numerics import scaling
from mvarena.numerics.kernels import squared_norms
from mvarena.numerics.scaling import column_range, scale_columns, standard_columns, unit_range


def minmax(data: MultiViewData) -> MultiViewData:
    """Each feature mapped to [0, 1] over its view's observed rows: (x - min) / (max - min); constant ones become 0.

    A sparse view stays sparse unless one of its columns holds negative values beside zeros.
    Kernel and distance views stay; raises Incompatible where no view holds features. Cost O(entries), or O(n d) where a
    sparse view becomes dense.
    """
    return each_feature_view("minmax", data, lambda view, observed: unit_range(view.matrix, observed))


def zscore(data: MultiViewData) -> MultiViewData:
    """Each feature to mean 0 and population standard deviation 1 over its view's observed rows; constant ones to 0.

    A sparse view becomes dense. Kernel and distance views stay; raises Incompatible where no view holds features. Cost
    O(n d).
    """
    return each_feature_view("zscore", data, lambda view, observed: standard_columns(view.matrix, observed))


# unit-rows and unit-view: every row, or the view as a whole, to unit length.


def unit_rows(data: MultiViewData) -> MultiViewData:
    """The data with each row divided by its Euclidean length; zero rows stay zero, sparse views stay sparse.

    Kernel and distance views stay; raises Incompatible where no view holds features. Cost O(entries).
    """
    return each_feature_view("unit-rows", data, lambda view, _: scaling.unit_rows(view.matrix))


def unit_view(data: MultiViewData) -> MultiViewData:
    """Each view divided by the root of the mean squared length of its observed rows; sparse views stay sparse.

    All that a view says of its samples stays, as seen from the origin: directions, ratios of distances. Views become
    comparable in size. Kernel and distance views stay; raises Incompatible where no view holds features. Cost
    O(entries).
    """
    return each_feature_view("unit-view", data, lambda view, observed: of_unit_size(view.matrix, observed))


def of_unit_size(matrix: Any, observed: NDArray[np.bool_]) -> Any:
    """The dense or CSR matrix over the root mean squared length of the rows `observed`; zeros stay zeros."""
    largest = float(abs(matrix).max())
    if largest == 0:
        return matrix
    scaled = matrix * (1 / largest)  # first by the largest entry: squares neither overflow nor vanish
    mean = float(squared_norms(scaled[np.flatnonzero(observed)]).mean())
    return scaled * (1 / np.sqrt(mean)) if mean > 0 else scaled


# tfidf: rare terms weigh more than common ones.


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


# shift-nonnegative: features moved up until none is negative.


def shift_nonnegative(data: MultiViewData) -> MultiViewData:
    """Each feature less its smallest value over its view's observed rows, where that is negative.

    Distances between samples stay as they are, and so do features without negative values. A sparse view with some
    becomes dense. Raises Incompatible where no view holds features. Cost O(entries), or O(n d) for such a view.
    """

    def shifted(view: View, observed: NDArray[np.bool_]) -> Any:
        low = np.minimum(column_range(view.matrix[np.flatnonzero(observed)])[0], 0.0)
        if not low.any():
            return view.matrix
        return (view.matrix.toarray() if sparse.issparse(view.matrix) else view.matrix) - low

    return each_feature_view("shift-nonnegative", data, shifted)
