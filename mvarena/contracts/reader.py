"""Readers of users' files: what they are asked, and what they answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from mvarena.errors import InvalidSetting

if TYPE_CHECKING:
    from mvarena.data import MultiViewData

Orientation: TypeAlias = Literal["rows", "columns"]
Imputation: TypeAlias = Literal["median", "knn"]
IMPUTATIONS: tuple[Imputation, ...] = ("median", "knn")
ORIENTATIONS: tuple[Orientation, ...] = ("rows", "columns")


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options for reading files that are ambiguous.

    orientation : what the samples are, "rows" or "columns"; None: to be found out.
    labels : the path of a file with the labels, for forms whose views hold none.
    impute : what stands in for single values that are missing in a row with others, "median" or "knn"; None: such rows
        are an error.

    Raises InvalidSetting for another orientation or imputation.
    """

    orientation: Orientation | None = None
    labels: str | None = None
    impute: Imputation | None = None

    def __post_init__(self) -> None:
        if self.orientation is not None and self.orientation not in ORIENTATIONS:
            raise InvalidSetting(
                f"orientation is 'rows' or 'columns' (what the samples are), not '{self.orientation}'.",
                field="orientation",
                value=self.orientation,
            )
        if self.impute is not None and self.impute not in IMPUTATIONS:
            raise InvalidSetting(
                f"impute is 'median' or 'knn', not '{self.impute}'.", field="impute", value=self.impute
            )


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
