"""Variables of files: MATLAB's cell arrays, unsupported values, descriptions in words, and the state of a reading."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.naming import is_label_name
from mvarena.text import plural, shortened

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


def inner_cell(value: Any) -> tuple[Any, ...]:
    """The items of a cell array, out of cells of one cell; of anything else none."""
    while isinstance(value, CellArray):
        if len(value.items) != 1 or not isinstance(value.items[0], CellArray):
            return value.items
        value = value.items[0]
    return ()


@dataclass(slots=True)
class Reading:
    """State of the interpretation of a file's variables."""

    where: str
    variables: dict[str, Any]
    views_last: bool
    said: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    views: tuple[str, ...] = ()

    def say(self, sentence: str, *variables: str) -> None:
        """Note a sentence on the reading, and the variables that it uses."""
        self.said.append(sentence)
        self.used.update(variables)

    def not_used(self) -> list[str]:
        """Unused variables and items of cell arrays, with their description and the reason."""
        result = [described(name, value) for name, value in self.variables.items() if name not in self.used]
        for name in self.views:
            for number, item in enumerate(inner_cell(self.variables[name]), start=1):
                if isinstance(item, str) or (isinstance(item, np.ndarray) and not item.size):
                    result.append(described(f"{name}{{{number}}}", item))
        return result


def described(name: str, value: Any) -> str:
    """Variable as 'name (description)', with the reason where it contradicts its name, and the way out."""
    why = _why_no_labels(value) if is_label_name(name) else ""
    if isinstance(value, Unsupported) and value.remedy:
        why = value.remedy.replace("NAME", name)
    return f"{shortened(name, 60)} ({_description(value)}{f'; {why}' if why else ''})"


def _description(value: Any) -> str:
    """A variable in words: '100 x 3 numbers', 'a cell array of 5'."""
    if isinstance(value, CellArray):
        return f"a cell array of {len(value.items)}"
    if isinstance(value, Unsupported):
        return value.what
    if isinstance(value, dict):
        return f"a struct with {plural(len(value), 'field')}"
    if sparse.issparse(value):
        return f"a sparse matrix, {value.shape[0]} x {value.shape[1]}"
    if isinstance(value, np.ndarray) and value.size == 1:
        return "a single number" if value.dtype.kind in "biuf" else "a single text"
    if isinstance(value, np.ndarray):
        what = "numbers" if value.dtype.kind in "biuf" else "texts"
        return f"{' x '.join(map(str, value.shape))} {what}"
    return "text"


def are_whole(numbers: NDArray[Any]) -> bool:
    """True for finite whole numbers that a float64 holds exactly."""
    return bool(np.isfinite(numbers).all() and (numbers == np.round(numbers)).all() and (abs(numbers) <= 2**53).all())


def _why_no_labels(value: Any) -> str:
    """Reason why a variable with a label's name cannot be labels, by its numbers; else empty."""
    if (
        not isinstance(value, np.ndarray)
        or value.dtype.kind != "f"
        or value.size < 2
        or sum(n > 1 for n in value.shape) > 1
    ):
        return ""
    known = value[~np.isnan(value)]
    return "" if known.size and are_whole(known) else "no labels: not all are whole numbers"
