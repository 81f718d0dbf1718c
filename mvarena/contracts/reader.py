"""Readers of users' files: their options, and their result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, get_args

from mvarena.errors import InvalidSetting

if TYPE_CHECKING:
    from mvarena.data import MultiViewData

Orientation: TypeAlias = Literal["rows", "columns"]
Imputation: TypeAlias = Literal["median", "knn"]
Header: TypeAlias = Literal["yes", "no"]
Decimal: TypeAlias = Literal["point", "comma"]
ORIENTATIONS: tuple[Orientation, ...] = get_args(Orientation)
CHOICES: dict[str, tuple[str, ...]] = {
    "orientation": ORIENTATIONS,
    "impute": get_args(Imputation),
    "header": get_args(Header),
    "decimal": get_args(Decimal),
}
"""Option -> its values, of those options that have a few."""


class ReadSettings(TypedDict, total=False):
    """Options of `ReadOptions` as typed; None for the others."""

    orientation: str | None
    labels: str | PathLike[str] | None
    impute: str | None
    header: str | None
    decimal: str | None
    drop: Sequence[str]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options for reading files that are ambiguous.

    orientation : what the samples are, "rows" or "columns"; None: to be found out.
    labels : the path of a file with the labels, for forms whose views hold none.
    impute : what stands in for single values that are missing in a row with others, "median" or "knn"; None: such rows
        are an error.
    header : of tables, whether the first row names the columns, "yes" or "no"; None: to be found out.
    decimal : of tables, the decimal sign, "point" or "comma"; None: to be found out.
    drop : of tables, columns to leave out: names in the header or, without one, numbers from 1.

    Raises InvalidSetting for another value of an option that has a few.
    """

    orientation: Orientation | None = None
    labels: str | None = None
    impute: Imputation | None = None
    header: Header | None = None
    decimal: Decimal | None = None
    drop: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        drop: str | Sequence[str] = self.drop or ()
        object.__setattr__(self, "drop", (drop,) if isinstance(drop, str) else tuple(drop))
        for field, values in CHOICES.items():
            value = getattr(self, field)
            if value is not None and value not in values:
                of = " (what the samples are)" if field == "orientation" else ""
                raise InvalidSetting(
                    f"{field} is '{values[0]}' or '{values[1]}'{of}, not '{value}'.", field=field, value=value
                )

    def given(self) -> dict[str, Any]:
        """Option -> value, of those that are set."""
        values = {field: getattr(self, field) for field in ReadSettings.__annotations__}
        return {field: value for field, value in values.items() if value not in (None, ())}


@dataclass(frozen=True, slots=True, eq=False)
class Understanding:
    """Result of reading files: the data, the interpretation with its reasons, and the parts not used.

    imputed : a sentence on single values that were filled in, with their share; empty where none were.
    features : of each view the names of its features, None for one that has none; None: no view has any.
    """

    data: MultiViewData
    understood: tuple[str, ...] = ()
    not_used: tuple[str, ...] = ()
    features: tuple[tuple[str, ...] | None, ...] | None = None
    imputed: str = ""


Reader: TypeAlias = Callable[[Sequence[Path], ReadOptions], Understanding]
"""The target of a `ReaderSpec`. The files are there and all have one of its endings; there is at least one.

It raises InvalidData, in one sentence that names the file, for one that is damaged or cannot be data, and
InvalidSetting for options that it has no use for.
"""

Writer: TypeAlias = "Callable[[MultiViewData, Path], None]"
"""The writer of a `ReaderSpec`. It replaces a file once the new one is whole; DataUnavailable says why it cannot."""
