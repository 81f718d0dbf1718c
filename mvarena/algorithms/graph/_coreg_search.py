"""The eigenvectors of co-regularised graphs: a view's graph plus a term of low rank that changes in each iteration."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.graph.view_graphs import Square
from mvarena.numerics.eigen import Block, leading_eigenpairs, start_block
from mvarena.numerics.spectral import top_eigenvectors

_DENSE_LIMIT = 400
_GUARD = 10
_START_TOL = 1e-4


@dataclass(frozen=True, slots=True)
class EigenSearch:
    """How far each update of a view goes on large graphs: until the residual is `tol`, or after `max_rounds` restarts
    of `depth` block products each."""

    tol: float
    depth: int
    max_rounds: int


# the published method: the top k eigenvectors in each update
EXACT = EigenSearch(tol=1e-5, depth=2, max_rounds=100)
# one step of the block search from the view's last eigenvectors: the objective falls, as the step never does worse than
# to stay, and after ten iterations is as low as with exact updates, at two fifths of the products
ONE_STEP = EigenSearch(tol=1e-5, depth=1, max_rounds=1)


def is_small(n: int, k: int) -> bool:
    """Whether all eigenvectors are found exactly, by LAPACK."""
    return n <= max(_DENSE_LIMIT, 8 * k)


@dataclass(slots=True)
class SpectralView:
    """One view's normalised graph (single or double precision), and what the last search leaves for the next."""

    L: NDArray[np.floating]
    k: int
    search: EigenSearch
    basis: Block = field(init=False)
    L_basis: Block = field(init=False)

    def separate(self) -> tuple[Block, float]:
        """Top k eigenvectors of L, and the sum of their eigenvalues."""
        n = len(self.L)
        if is_small(n, self.k):
            return self._dense(np.asarray(self.L, dtype=np.float64))
        start = start_block(n, self.k + _GUARD).astype(self.L.dtype, copy=False)
        found = leading_eigenpairs(self._product, start, self.k, tol=max(self.search.tol, _START_TOL), depth=2)
        self.basis, self.L_basis = found.vectors, found.images
        return self.basis[:, : self.k], float(found.values[: self.k].sum())

    def update(self, W: Block, weight: float) -> tuple[Block, float]:
        """Top k eigenvectors of L + weight W W^T, and the sum of their eigenvalues; as far as the search goes."""
        if is_small(len(self.L), self.k):
            return self._dense(self.L + weight * (W @ W.T))
        W = W.astype(self.L.dtype, copy=False)

        def pull(X: Block) -> Block:
            return np.asarray(W @ (weight * (W.T @ X)))

        search = self.search
        found = leading_eigenpairs(
            lambda X: self._product(X) + pull(X),
            self.basis,
            self.k,
            tol=search.tol,
            depth=search.depth,
            max_rounds=search.max_rounds,
            images=self.L_basis + pull(self.basis),
        )
        self.basis = found.vectors
        self.L_basis = found.images - pull(self.basis)
        return self.basis[:, : self.k], float(found.values[: self.k].sum())

    def _dense(self, A: Square) -> tuple[Block, float]:
        values, U = top_eigenvectors(A, self.k)
        return U, float(values.sum())

    def _product(self, X: Block) -> Block:
        # L is symmetric, and BLAS takes less time for X^T L than for L X
        return np.ascontiguousarray((np.ascontiguousarray(X.T) @ self.L).T)
