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


def complete_rows(
    paths: Sequence[Path | str],
    arrays: Sequence[NDArray[np.float64]],
    how: Imputation | None,
    headers: Sequence[tuple[str, ...] | None] = (),
) -> tuple[list[NDArray[np.float64]], str]:
    """The views with no NaN but in rows that are NaN throughout, and a sentence on what was filled in.

    Parameters
    ----------
    paths : of the views, or where they are in one, for errors.
    arrays : (n, d) each; a row of NaN is a missing sample and stays one.
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


def complete_features(
    where: str, names: Sequence[str], matrices: Sequence[Any], kinds: Sequence[Kind], mask: Any, how: Imputation | None
) -> tuple[list[Any], str]:
    """As `complete_rows`, of the views of one file that are features, dense or sparse; `mask` (n, V) or None.

    Rows that the mask does not observe become rows of NaN.
    """
    holes = [i for i, matrix in enumerate(matrices) if kinds[i] == "features" and _has_holes(matrix)]
    dense = [np.array(matrices[i].toarray() if sparse.issparse(matrices[i]) else matrices[i], float) for i in holes]
    for i, array in zip(holes, dense, strict=True):
        if mask is not None:
            array[~mask[:, i]] = np.nan
    filled, sentence = complete_rows([f"{where}, {names[i]}" for i in holes], dense, how)
    completed = dict(zip(holes, filled, strict=True))
    return [completed.get(i, matrix) for i, matrix in enumerate(matrices)], sentence


def _has_holes(matrix: Any) -> bool:
    return bool(matrix.dtype.kind == "f" and np.isnan(matrix.data if sparse.issparse(matrix) else matrix).any())


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
