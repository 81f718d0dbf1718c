"""Single values that are missing in a row with others: filled in as the user says, else an error."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.reader import Imputation
from mvarena.data import Kind
from mvarena.errors import InvalidData

_NEIGHBOURS = 10


def complete(
    wheres: Sequence[Path | str],
    matrices: Sequence[Any],
    how: Imputation | None,
    *,
    kinds: Sequence[Kind] = (),
    mask: NDArray[np.bool_] | None = None,
    headers: Sequence[tuple[str, ...] | None] = (),
) -> tuple[list[Any], str]:
    """Views whose only NaN are rows of NaN throughout, and a sentence on the values that were filled in.

    Parameters
    ----------
    wheres : of each view its place, for errors.
    matrices : (n, d) each, dense or sparse; a row of NaN is a missing sample and stays one.
    how : "median" of the column's other values, or "knn": the mean of the column over the ten nearest rows that have
        it, by Euclidean distance over the columns that both have, each at unit deviation (Troyanskaya et al.,
        Bioinformatics 2001).
    kinds : of the views, features where none are given; others stay as they are.
    mask : (n, V); rows that it does not observe become rows of NaN.
    headers : the names of each view's columns, for errors; None where they have none.

    Raises InvalidData for a column without any value, and for missing values where `how` is None.
    """
    result, filled, cells = list(matrices), 0, 0
    for i, matrix in enumerate(matrices):
        stored = matrix.data if sparse.issparse(matrix) else matrix
        if (kinds and kinds[i] != "features") or stored.dtype.kind != "f" or not np.isnan(stored).any():
            cells += matrix.shape[0] * matrix.shape[1]
            continue
        array = np.array(matrix.toarray() if sparse.issparse(matrix) else matrix, dtype=np.float64)
        if mask is not None:
            array[~mask[:, i]] = np.nan
        holes = np.isnan(array)
        seen = ~holes.all(axis=1)
        count, size = int(holes[seen].sum()), int(seen.sum()) * array.shape[1]
        if count and how is None:
            raise InvalidData(
                f"{wheres[i]}: {count} values ({100 * count / size:.1f} %) are missing in rows that have others; "
                "--impute median or --impute knn fills them in. A sample that is missing is a row without any value."
            )
        if count and how is not None:
            array[seen] = _filled(wheres[i], array[seen], how, headers[i] if headers else None)
        result[i], filled, cells = array, filled + count, cells + size
    return result, f"{filled} single values ({100 * filled / cells:.1f} %) are filled in by {how}" if filled else ""


def _filled(
    path: Path | str, values: NDArray[np.float64], how: Imputation, header: tuple[str, ...] | None
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
