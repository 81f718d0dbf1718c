"""Eigenpairs of symmetric matrices: all above a bound, and the leading ones of a large operator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from mvarena.system.threads import one_linear_algebra_thread

Real = TypeVar("Real", np.float32, np.float64)


def eigenpairs_above(matrix: NDArray[Real], least: float) -> tuple[NDArray[Real], NDArray[Real]]:
    """(r,) eigenvalues above `least`, ascending, and (n, r) orthonormal eigenvectors.

    matrix : (n, n), symmetric, finite, n >= 1, float64 or float32, C-contiguous; it may be overwritten.

    Raises LinAlgError if LAPACK finds no solution. Time 4/3 n^3 + 2 n^3 or more for the vectors, memory 3 n^2 beyond
    the matrix. Source: Cuppen (1981); Gu and Eisenstat (1995), as LAPACK's syevd.
    """
    if matrix.dtype == np.float64:
        # other threads go on meanwhile; SciPy keeps Python's lock
        values, vectors = np.linalg.eigh(matrix)
    else:
        # NumPy would compute in double precision; the transpose is in the order that LAPACK can overwrite
        values, vectors = linalg.eigh(matrix.T, driver="evd", overwrite_a=True, check_finite=False)
    first = int(np.searchsorted(values, least, side="right"))
    return values[first:], vectors[:, first:]


# Leading eigenvectors of a large symmetric operator by a block Krylov method that starts warm.
#
# A product with a block of ten vectors costs little more than one with a single vector, because the matrix is read
# once. So methods that ask for nearly the same eigenvectors again and again are best served by a block method that
# starts from the last answer.

Block = NDArray[Any]  # of float64 or float32

# in units of rounding (2e-16, or 1e-7 in single precision): what it leaves of the length of a column in the span of the
# basis, and of the squared length of one in the span of other columns
_IN_BASIS, _IN_BLOCK = 5e3, 50
# least squared length of any combination of new directions that is far enough from either
_LITTLE_LOST = 1e-3


class RitzPairs(NamedTuple):
    """values : (p,) descending. vectors : (n, p) orthonormal, in the precision of the start.
    residual : of the k asked for, relative. images : (n, p) what the operator makes of the vectors.
    """

    values: NDArray[np.float64]
    vectors: Block
    residual: float
    images: Block


def start_block(n: int, width: int, known: Block | None = None) -> NDArray[np.float64]:
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
        In single precision all blocks are, which suits a `multiply` and a tolerance that are no better.
    k : how many of the pairs must have a residual norm(A x - theta x) of at most tol * max(abs(theta)).
    depth : blocks in each Krylov space; the basis holds at most (depth + 1) p vectors.
    images : (n, p) of the start, where they are known; that saves one product.

    Ends after `max_rounds` restarts at the latest; a single one is made whether the start needs it or not. Cost:
    `depth` block products and O(n (depth p)^2) per restart, all on one thread: products are bound by memory, and the
    small steps between them would wait for a second one. Source: Golub and Underwood (1977), with thick restarts.
    """
    with one_linear_algebra_thread():
        p = start.shape[1]
        images = multiply(start) if images is None else images
        if max_rounds == 1:
            return _rayleigh_ritz(*_krylov_space(multiply, start, images, depth), k, p)
        result = _rayleigh_ritz(start, images, k, p)
        for _ in range(max_rounds):
            if result.residual <= tol:
                break
            basis, basis_images = _krylov_space(multiply, result.vectors, result.images, depth)
            if basis.shape[1] == p:
                break
            result = _rayleigh_ritz(basis, basis_images, k, p)
        return result


def _krylov_space(multiply: Callable[[Block], Block], basis: Block, images: Block, depth: int) -> tuple[Block, Block]:
    """An orthonormal basis grown by up to `depth` blocks, and its images; the same basis where nothing is new."""
    block = images - basis @ (basis.T @ images)
    for _ in range(depth):
        block = _new_directions(block, basis)
        if not block.shape[1]:
            break
        basis, block = np.hstack([basis, block]), multiply(block)
        images = np.hstack([images, block])
    return basis, images


def _rayleigh_ritz(basis: Block, images: Block, k: int, p: int) -> RitzPairs:
    """The p leading Ritz pairs in the span of an orthonormal basis."""
    projected = (basis.T @ images).astype(np.float64, copy=False)
    theta, S = np.linalg.eigh((projected + projected.T) / 2)
    theta, S = theta[: -p - 1 : -1], S[:, : -p - 1 : -1]
    rotation = S.astype(basis.dtype, copy=False)
    X, AX = basis @ rotation, images @ rotation
    error = np.linalg.norm(AX[:, :k] - X[:, :k] * theta[:k], axis=0).max()
    scale = float(np.abs(theta).max())
    return RitzPairs(theta, X, float(error) / scale if scale > 0 else 0.0, AX)


def _new_directions(block: Block, basis: Block) -> Block:
    """Orthonormal columns that with the basis span what the block adds to it: fewer than it has where it adds less.

    Columns of length 1 less their part in the basis, then V / sqrt(theta) for the Gram matrix V theta V^T (Stathopoulos
    and Wu 2002): products alone, where a QR decomposition goes column by column. Twice over for full accuracy, unless
    little was lost the first time.
    """
    rounding = float(np.finfo(block.dtype).eps)
    norms = np.linalg.norm(block, axis=0)
    block = block[:, norms > 0] / norms[norms > 0]
    for _ in range(2):
        block = block - basis @ (basis.T @ block)
        theta, V = np.linalg.eigh((block.T @ block).astype(np.float64, copy=False))
        kept = theta > max((_IN_BASIS * rounding) ** 2, _IN_BLOCK * rounding * theta.max(initial=0.0))
        block = block @ (V[:, kept] / np.sqrt(theta[kept])).astype(block.dtype, copy=False)
        if theta.min(initial=1.0) > _LITTLE_LOST:
            break
    return block
