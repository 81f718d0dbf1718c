"""All eigenpairs above a bound of one symmetric matrix, in its own place, while other threads go on.

SciPy's functions for all eigenpairs keep Python's lock (as of 1.17), so that two of them side by side take as long as
one after the other; NumPy's do not, but have no speed in single precision. Here are the three steps of LAPACK's
divide and conquer, called in the library that SciPy opens to other compiled code: only the vectors asked for take the
last one, in wider blocks than LAPACK's own. `eigenproblem.eigenpairs_above` chooses between the two.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cython_lapack

from mvarena.numerics.eigen import Real

# columns that LAPACK's reduction takes at once, at most; reflections that become one product on the way back
_COLUMNS, _REFLECTIONS = 64, 128
# beyond it n^2 numbers of workspace are no 32-bit integer
_LARGEST = 46_000
_PREFIXES = {"f": "s", "d": "d"}
_ARGUMENTS = {"sytrd": 10, "stedc": 11, "larft": 9, "larfb": 15}
_WITH_CODE = {"sytrd", "stedc"}


def unlocked_eigenpairs_above(
    matrix: NDArray[Real], least: float, *, overwrite: bool = False
) -> tuple[NDArray[Real], NDArray[Real]]:
    """As `eigenpairs_above`, of which it takes the arguments. Time 4/3 n^3 + n^2 (r to 2 n), memory 2 n^2 beyond the
    matrix, n^2 less with `overwrite`."""
    n = len(matrix)
    if n > _LARGEST:
        values, vectors = np.linalg.eigh(matrix)
        first = int(np.searchsorted(values, least, side="right"))
        return values[first:], vectors[:, first:]
    A = matrix if overwrite else matrix.copy()
    dtype = A.dtype
    values, tau = np.empty(n, dtype), np.empty(n, dtype)
    beside = np.empty(n, dtype)  # the diagonal's neighbours
    work = np.empty(_COLUMNS * n, dtype)
    _call("sytrd", dtype, b"L", n, A, n, values, beside, tau, work, len(work))
    Z = np.empty((n, n), dtype)  # its rows are the vectors, as LAPACK goes by columns
    wide, full = np.empty(1 + 4 * n + n * n, dtype), np.empty(3 + 5 * n, np.int32)
    _call("stedc", dtype, b"I", n, values, beside, Z, n, wide, len(wide), full, len(full))
    del wide
    first = int(np.searchsorted(values, least, side="right"))
    kept = Z[first:]
    if len(kept):
        _reflect(kept, A, tau[:-1])
    return values[first:], kept.T


def _reflect(vectors: NDArray[Real], A: NDArray[Real], tau: NDArray[Real]) -> None:
    """Each row x of `vectors` becomes H_1 H_2 .. H_(n-1) x, in place: the reflections that sytrd left in A and tau."""
    n, r, dtype = len(A), len(vectors), A.dtype
    T, work = np.empty((_REFLECTIONS, _REFLECTIONS), dtype), np.empty((_REFLECTIONS, r), dtype)
    for first in reversed(range(0, len(tau), _REFLECTIONS)):
        scales = tau[first : first + _REFLECTIONS]
        b, below = len(scales), n - first - 1
        V, moved = A[first:, first + 1 :], vectors[:, first + 1 :]
        _call("larft", dtype, b"F", b"C", below, b, V, n, scales, T, _REFLECTIONS)
        _call("larfb", dtype, b"L", b"N", b"F", b"C", below, r, b, V, n, T, _REFLECTIONS, moved, n, work, r)


def _call(name: str, dtype: np.dtype[Any], *arguments: bytes | int | NDArray[Any]) -> None:
    """LAPACK's function of this name for this type; every argument goes by its address, a code of the end last."""
    addresses: list[Any] = []
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            addresses.append(argument.ctypes.data)
        else:
            addresses.append(argument if isinstance(argument, bytes) else ctypes.byref(ctypes.c_int(argument)))
    code = ctypes.c_int(0)
    if name in _WITH_CODE:
        addresses.append(ctypes.byref(code))
    _function(_PREFIXES[dtype.char] + name)(*addresses)
    if code.value != 0:
        raise np.linalg.LinAlgError(f"LAPACK's {name} ended with code {code.value}: the eigenvalues did not converge.")


@cache
def _function(name: str) -> Callable[..., None]:
    capsule = cython_lapack.__pyx_capi__[name]
    api = ctypes.pythonapi
    api.PyCapsule_GetName.restype, api.PyCapsule_GetName.argtypes = ctypes.c_char_p, [ctypes.py_object]
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    address = api.PyCapsule_GetPointer(capsule, api.PyCapsule_GetName(capsule))
    # a CFUNCTYPE lets go of Python's lock while the function runs
    return ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * _ARGUMENTS[name[1:]])(address)
