"""Variables of files that are no plain arrays: MATLAB's cell arrays, and what is no data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_READABLE_BY = {
    "string": "cellstr", "categorical": "cellstr", "table": "table2array", "timetable": "timetable2table",
    "datetime": "datenum", "duration": "seconds", "containers.Map": "values",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CellArray:
    """A cell array: its items in column-major order, and its shape."""

    items: tuple[Any, ...]
    shape: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A variable that is no data: a function handle, an object, complex numbers.

    remedy : what makes it readable, with NAME for the variable; empty where nothing is known.
    """

    what: str
    remedy: str = ""


def matlab_object(kind: str) -> Unsupported:
    """A variable of a MATLAB class whose content is not in the published format."""
    by = _READABLE_BY.get(kind)
    return Unsupported(f"a MATLAB {kind or 'object'}", f"in MATLAB, NAME = {by}(NAME) makes it readable" if by else "")


def real_numbers(values: NDArray[Any]) -> NDArray[Any] | Unsupported:
    """The array in the byte order of this machine; Unsupported for anything but real numbers."""
    if values.dtype.kind not in "biuf":
        return Unsupported("complex numbers" if values.dtype.kind == "c" else f"values of type {values.dtype}")
    return np.asarray(values, dtype=values.dtype.newbyteorder("="))
