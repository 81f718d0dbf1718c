"""Leading eigenvectors of a large symmetric operator by a block Krylov method that starts warm.

A product with a block of ten vectors costs little more than one with a single vector, because the matrix is read
once. So methods that ask for nearly the same eigenvectors again and again are best served by a block method that
starts from the last answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvarena.numerics.threads import one_linear_algebra_thread

Block = NDArray[np.float64]

# of a squared length: what rounding leaves of a column in the span of the basis, and what it makes of one in the span
# of other columns
_IN_BASIS, _IN_BLOCK = 1e-24, 1e-14


class RitzPairs(NamedTuple):
    """values : (p,) descending. vectors : (n, p) orthonormal. residual : of the k asked for, relative.

    images : (n, p) what the operator makes of the vectors.
    """

    values: NDArray[np.float64]
    vectors: Block
    residual: float
    images: Block


def start_block(n: int, width: int, known: Block | None = None) -> Block:
    """(n, width) orthonormal columns that span `known` and, beyond it, fixed random directions."""
    block = np.random.default_rng(0).standard_normal((n, width))
    if known is not None:
        block[:, : known.shape[1]] = known
    with one_linear_algebra_thread():
        return np.asarray(np.linalg.qr(block)[0])


def leading_eigenpairs(
    multiply: Callable[[Block], Block],
    start: Block,
    k: int,
    *,
    tol: float = 1e-8,
    depth: int = 3,
    max_rounds: int = 100,
    images: Block | None = None,
) -> RitzPairs:
    """The leading (algebraically largest) Ritz values, descending, and vectors: as many as `start` has columns.

    Parameters
    ----------
    multiply : maps an (n, p) block X to A X for a symmetric A.
    start : (n, p) orthonormal columns, p >= k, best near the wanted eigenvectors; surplus columns guard against
        a start that misses one of them. The sum of the p leading Ritz values is never below that of the start.
    k : how many of the pairs must have a residual norm(A x - theta x) of at most tol * max(abs(theta)).
    depth : blocks in each Krylov space; the basis holds at most (depth + 1) p vectors.
    images : (n, p) of the start, where they are known; that saves one product.

    Ends after `max_rounds` restarts at the latest. Cost: `depth` block products and O(n (depth p)^2) per restart, all
    on one thread: products are bound by memory, and the small steps between them would wait for a second one.
    Source: Golub and Underwood (1977), with thick restarts.
    """
    with one_linear_algebra_thread():
        found = _rayleigh_ritz(start, multiply(start) if images is None else images, k, start.shape[1])
        for _ in range(max_rounds):
            if found.residual <= tol:
                break
            basis, basis_images = found.vectors, found.images
            block = basis_images - basis * found.values
            for _ in range(depth):
                block = _new_directions(block, basis)
                if not block.shape[1]:
                    break
                basis, block = np.hstack([basis, block]), multiply(block)
                basis_images = np.hstack([basis_images, block])
            if basis.shape[1] == start.shape[1]:
                break
            found = _rayleigh_ritz(basis, basis_images, k, start.shape[1])
        return found


def _rayleigh_ritz(basis: Block, images: Block, k: int, p: int) -> RitzPairs:
    """The p leading Ritz pairs in the span of an orthonormal basis."""
    projected = basis.T @ images
    theta, S = np.linalg.eigh((projected + projected.T) / 2)
    theta, S = theta[: -p - 1 : -1], S[:, : -p - 1 : -1]
    X, AX = basis @ S, images @ S
    error = np.linalg.norm(AX[:, :k] - X[:, :k] * theta[:k], axis=0).max()
    scale = float(np.abs(theta).max())
    return RitzPairs(theta, X, float(error) / scale if scale > 0 else 0.0, AX)


def _new_directions(block: Block, basis: Block) -> Block:
    """Orthonormal columns that with the basis span what the block adds to it: fewer than it has where it adds less.

    Columns of length 1 less their part in the basis, then V / sqrt(theta) for the Gram matrix V theta V^T (Stathopoulos
    and Wu 2002), twice over for full accuracy: products alone, where a QR decomposition goes column by column.
    """
    norms = np.linalg.norm(block, axis=0)
    block = block[:, norms > 0] / norms[norms > 0]
    for _ in range(2):
        block = block - basis @ (basis.T @ block)
        theta, V = np.linalg.eigh(block.T @ block)
        kept = theta > max(_IN_BASIS, _IN_BLOCK * theta.max(initial=0.0))
        block = block @ (V[:, kept] / np.sqrt(theta[kept]))
    return block
