"""Single values that are missing in a row with others: filled in as the user says, else an error."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.reader import Imputation
from mvarena.errors import InvalidData

_NEIGHBOURS = 10


def complete_rows(
    paths: Sequence[Path],
    arrays: Sequence[NDArray[np.float64]],
    how: Imputation | None,
    headers: Sequence[tuple[str, ...] | None] = (),
) -> tuple[list[NDArray[np.float64]], str]:
    """The views with no NaN but in rows that are NaN throughout, and a sentence on what was filled in.

    Parameters
    ----------
    paths : of the views, for errors. arrays : (n, d) each; a row of NaN is a missing sample and stays one.
    how : "median" of the column's other values, or "knn": the mean of the column over the ten nearest rows that have
        it, by Euclidean distance over the columns that both have, each at unit deviation (Troyanskaya et al.,
        Bioinformatics 2001).
    headers : the names of each view's columns, for errors; None where they have none.

    Raises InvalidData for a column without any value, and for missing values where `how` is None.
    """
    result, filled, cells = [], 0, 0
    for path, array, header in zip(paths, arrays, headers or [None] * len(paths), strict=True):
        holes = np.isnan(array)
        rows = holes.any(axis=1) & ~holes.all(axis=1)
        seen = ~holes.all(axis=1)
        cells += int(seen.sum()) * array.shape[1]
        count = int(holes[rows].sum())
        if count:
            if how is None:
                share = 100 * count / (seen.sum() * array.shape[1])
                raise InvalidData(
                    f"{path}: {count} values ({share:.1f} %) are missing in rows that have others; --impute median or "
                    "--impute knn fills them in. A sample that is missing is a row without any value."
                )
            array = array.copy()
            array[seen] = _filled(path, array[seen], how, header)
            filled += count
        result.append(array)
    return result, f"{filled} single values ({100 * filled / cells:.1f} %) are filled in by {how}" if filled else ""


def _filled(
    path: Path, values: NDArray[np.float64], how: Imputation, header: tuple[str, ...] | None
) -> NDArray[np.float64]:
    empty = np.flatnonzero(np.isnan(values).all(axis=0))
    if empty.size:
        named = f"column '{header[empty[0]]}'" if header else f"column {empty[0] + 1}"
        raise InvalidData(f"{path}: {named} has no value; remove it.")
    if how == "median":
        return np.where(np.isnan(values), np.nanmedian(values, axis=0), values)
    from sklearn.impute import KNNImputer

    mean, spread = np.nanmean(values, axis=0), np.nanstd(values, axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    found = KNNImputer(n_neighbors=_NEIGHBOURS).fit_transform((values - mean) / spread) * spread + mean
    return np.where(np.isnan(values), found, values)
