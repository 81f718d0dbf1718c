"""All eigenpairs above a bound of one symmetric matrix, by NumPy and SciPy.

The environment variable MVARENA_EIGENPROBLEMS=lapack takes `unlocked_lapack` instead, which lets two problems in single
precision run side by side: LRSSC at n = 2,000 on two cores then takes less than half of the time, and every other
method about what it takes anyway (benchmarks/results/eigenproblems.md).
"""

from __future__ import annotations

import os
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

Real = TypeVar("Real", np.float32, np.float64)

SWITCH = "MVARENA_EIGENPROBLEMS"


def eigenpairs_above(
    matrix: NDArray[Real], least: float, *, overwrite: bool = False
) -> tuple[NDArray[Real], NDArray[Real]]:
    """(r,) eigenvalues above `least`, ascending, and (n, r) orthonormal eigenvectors.

    Parameters
    ----------
    matrix : (n, n), symmetric, finite, n >= 1, float64 or float32, C-contiguous.
    least : any number, -inf for all pairs.
    overwrite : the matrix's place may be used.

    Raises LinAlgError if LAPACK finds no solution. Time 4/3 n^3 + 2 n^3 or more for the vectors, memory 3 n^2 beyond
    the matrix. Source: Cuppen (1981); Gu and Eisenstat (1995), as LAPACK's syevd.
    """
    if matrix.shape != matrix.T.shape or not matrix.flags.c_contiguous or matrix.dtype.char not in "fd":
        raise ValueError("eigenpairs_above needs a square, C-contiguous matrix of float32 or float64.")
    if os.environ.get(SWITCH) == "lapack":
        from mvarena.numerics.unlocked_lapack import unlocked_eigenpairs_above

        return unlocked_eigenpairs_above(matrix, least, overwrite=overwrite)
    if matrix.dtype == np.float64:
        # other threads go on meanwhile; SciPy keeps Python's lock
        values, vectors = np.linalg.eigh(matrix)
    else:
        # NumPy would compute in double precision; the transpose is in the order that LAPACK can overwrite
        values, vectors = linalg.eigh(matrix.T, driver="evd", overwrite_a=overwrite, check_finite=False)
    first = int(np.searchsorted(values, least, side="right"))
    return values[first:], vectors[:, first:]
