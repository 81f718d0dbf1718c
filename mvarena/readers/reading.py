"""State of the interpretation of a file, and its variables in words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from mvarena.naming import is_label_name
from mvarena.readers.groups import inner_cell
from mvarena.readers.labels import why_no_labels
from mvarena.readers.values import CellArray, Unsupported
from mvarena.text import plural, shortened


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
        """Note what was understood, and of which variables."""
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
    """A variable as 'name (description)', with the reason where it cannot be what its name says, and the way out."""
    why = why_no_labels(value) if is_label_name(name) else ""
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
