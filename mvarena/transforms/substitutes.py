"""Stand-ins for missing samples: weighted means of observed ones, in a view of any kind."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.data import View


def with_substitutes(view: View, seen: NDArray[np.bool_], weights: Any) -> View:
    """The view with the sample that row i of `weights` makes of the observed ones in its i-th missing row.

    Parameters
    ----------
    seen : (n,) True where the view observes the sample, s of them.
    weights : (n - s, s), dense or CSR, each row of sum 1.

    In a kernel the mean is taken in feature space: K_mo = W K_oo and K_mm = W K_oo W^T. In a distance view it is taken
    between the points whose Euclidean distances those are, where there are such points; what comes out negative is 0.
    Sparse features stay CSR; a sparse kernel or distance view becomes dense. Cost O(n s d) for features, else O(n s^2).
    """
    observed, missing = np.flatnonzero(seen), np.flatnonzero(~seen)
    if view.kind == "features":
        return replace(view, matrix=_with_rows(view.matrix, observed, missing, weights))
    whole = view.matrix.toarray() if view.is_sparse else np.array(view.matrix)
    block = whole[np.ix_(observed, observed)]
    block = block if view.kind == "kernel" else -(block**2) / 2
    across = weights @ block
    between = across @ weights.T
    between = (between + between.T) / 2
    if view.kind == "distance":
        # -d^2 / 2 is the product of two points less half of each one's square, and squares are not linear in weights
        own = between.diagonal().copy()
        across = across - own[:, None] / 2
        between = between - own[:, None] / 2 - own / 2
        across, between = np.sqrt(np.maximum(-2 * across, 0)), np.sqrt(np.maximum(-2 * between, 0))
        np.fill_diagonal(between, 0.0)
    whole[np.ix_(missing, observed)] = across
    whole[np.ix_(observed, missing)] = across.T
    whole[np.ix_(missing, missing)] = between
    return replace(view, matrix=whole)


def _with_rows(matrix: Any, observed: NDArray[np.int64], missing: NDArray[np.int64], weights: Any) -> Any:
    if sparse.issparse(matrix):
        stacked = sparse.vstack([matrix[observed], sparse.csr_array(weights) @ matrix[observed]], format="csr")
        return sparse.csr_array(stacked)[np.argsort(np.concatenate([observed, missing]))]
    filled = matrix.copy()
    filled[missing] = weights @ matrix[observed]
    return filled
