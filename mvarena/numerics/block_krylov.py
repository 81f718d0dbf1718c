"""Leading eigenvectors of a large symmetric operator by a block Krylov method that starts warm.

A product with a block of ten vectors costs little more than one with a single vector, because the matrix is read
once. So methods that ask for nearly the same eigenvectors again and again are best served by a block method that
starts from the last answer.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

Block = NDArray[np.float64]


def start_block(n: int, width: int, known: Block | None = None) -> Block:
    """(n, width) orthonormal columns that span `known` and, beyond it, fixed random directions."""
    block = np.random.default_rng(0).standard_normal((n, width))
    if known is not None:
        block[:, : known.shape[1]] = known
    return np.asarray(np.linalg.qr(block)[0])


def leading_eigenpairs(
    multiply: Callable[[Block], Block],
    start: Block,
    k: int,
    *,
    tol: float = 1e-8,
    depth: int = 3,
    max_rounds: int = 100,
) -> tuple[NDArray[np.float64], Block]:
    """The leading (algebraically largest) Ritz values, descending, and vectors: as many as `start` has columns.

    Parameters
    ----------
    multiply : maps an (n, p) block X to A X for a symmetric A.
    start : (n, p) orthonormal columns, p >= k, best near the wanted eigenvectors; surplus columns guard against
        a start that misses one of them.
    k : how many of the pairs must have a residual norm(A x - theta x) of at most tol * max(abs(theta)).
    depth : blocks in each Krylov space; the basis holds (depth + 1) p vectors.

    Ends after `max_rounds` restarts at the latest. Cost: `depth` block products and O(n (depth p)^2) per restart.
    Source: Golub and Underwood (1977), with thick restarts.
    """
    n, p = start.shape
    depth = min(depth, n // p - 1)
    X, AX = start, multiply(start)
    if depth < 1:
        return _rayleigh_ritz(X, AX, p)[0], _rayleigh_ritz(X, AX, p)[1]
    for _ in range(max_rounds):
        theta, X, AX = _rayleigh_ritz(X, AX, p)
        residual = AX - X * theta
        if np.linalg.norm(residual[:, :k], axis=0).max() <= tol * np.abs(theta).max():
            break
        basis, images = X, AX
        block = residual
        for _ in range(depth):
            block = _new_directions(block, basis)
            image = multiply(block)
            basis, images = np.hstack([basis, block]), np.hstack([images, image])
            block = image
        X, AX = basis, images
    theta, X, AX = _rayleigh_ritz(X, AX, p)
    return theta, X


def _rayleigh_ritz(basis: Block, images: Block, p: int) -> tuple[NDArray[np.float64], Block, Block]:
    """The p leading Ritz pairs in the span of an orthonormal basis, and their images."""
    projected = basis.T @ images
    m = len(projected)
    theta, S = linalg.eigh((projected + projected.T) / 2, subset_by_index=(m - p, m - 1))
    S = S[:, ::-1]
    return theta[::-1], basis @ S, images @ S


def _new_directions(block: Block, basis: Block) -> Block:
    """An orthonormal block orthogonal to the basis; where the given one adds nothing, rounding noise fills in."""
    norms = np.linalg.norm(block, axis=0)
    block = block / np.where(norms > 0, norms, 1.0)
    for _ in range(3):
        block = np.linalg.qr(block - basis @ (basis.T @ block))[0]
    return block
