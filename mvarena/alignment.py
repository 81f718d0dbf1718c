"""Views, labels and masks brought into one order of samples, by the indexes that they have.

What has no index is in the order of the samples: of the first view that has all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.errors import InvalidData
from mvarena.joining import no_common_ids, spelling_hint
from mvarena.objects import Rows, index_of, is_pandas, numbers_of, read_matrix
from mvarena.samples import label_column, text_of


@dataclass(frozen=True, slots=True)
class AlignedViews:
    """Views (n, d_v) in one order of samples, with labels, mask and ids in that order.

    present : (n, V) False where a view's index has no such sample; None where no view has an index.
    """

    matrices: list[Any]
    present: NDArray[np.bool_] | None
    labels: Any
    mask: Any
    ids: Any


def joined(
    name: str, views: Sequence[tuple[str, Any, bool]], labels: Any = None, mask: Any = None, ids: Any = None
) -> AlignedViews:
    """The samples of all views by their indexes, in the order of the first view that has all.

    Parameters
    ----------
    name : of the data, for messages.
    views : of each its name, its numbers in any class, and whether its columns are the samples, too (a kernel).
    labels : of any class; a column with an index, or a dictionary by id, goes by the ids that the views have.
    mask : (n, V) of any class; a table goes by its index, and by the names of the views in its columns.
    ids : of the samples in their order; None takes the index.

    Raises InvalidData for indexes that do not meet, that name two rows alike, or that leave an order open.
    """
    rows = [read_matrix(f"{name}: view '{view}'", value) for view, value, _ in views]
    truth = None if labels is None else _labels(name, labels)
    table = None if mask is None else _mask(name, mask, [view for view, _, _ in views])
    numbered = _counted_as_named(name, views, rows, [item for item in (truth, table) if item is not None])
    if numbered is not rows:
        truth, table = (item if item is None else item.by_number() for item in (truth, table))
        rows = numbered
    order = _order(name, [(view, item) for (view, _, _), item in zip(views, rows, strict=True)])
    if order is None and isinstance(labels, Mapping):
        raise InvalidData(
            f"{name}: the labels are a dictionary by id, and no view has ids; give the views an index, as in "
            "pandas.DataFrame(array, index=ids), or the labels as a list."
        )
    if order is None:
        matrices, present, n = [item.values for item in rows], None, len(rows[0])
    else:
        pairs = zip(views, rows, strict=True)
        matrices = [_placed(f"{name}: view '{view}'", item, order, square) for (view, _, square), item in pairs]
        present, n = _present(rows, order), len(order.ids)
    return AlignedViews(
        matrices,
        present,
        None if truth is None else _in_order(name, "labels", truth, order, n),
        None if table is None else _in_order(name, "mask", table, order, n),
        _ids(name, ids, order),
    )


@dataclass(frozen=True, slots=True)
class _Order:
    """The ids of all samples; whether one view has all, every view has them so, and no two are the same."""

    ids: tuple[str, ...]
    is_of_all: bool
    alike: bool
    distinct: bool = True


def _counted_as_named(
    name: str, views: Sequence[tuple[str, Any, bool]], rows: list[Rows], others: list[Rows]
) -> list[Rows]:
    """The views, the numbers of whose rows are ids where another index is of such numbers.

    A table whose rows were shuffled or dropped keeps their numbers; so a table beside it that only counts its rows has
    the same numbers in their order.
    """
    named = [item for item in (*rows, *others) if item.index is not None]
    counted = [item for item in rows if item.counted]
    if not named or not counted or not all(item.whole for item in named):
        return rows
    there = {str(row) for row in range(max(map(len, counted)))}
    used = {text for item in named for text in item.index or ()}
    if not used <= there:
        view = next(view for (view, _, _), item in zip(views, rows, strict=True) if item.counted)
        raise InvalidData(
            f"{name}: the rows of view '{view}' are numbered from 0 to {len(there) - 1}, and another index has "
            f"{min(used - there)}; give both the same index, or go by position with .reset_index(drop=True)."
        )
    return [item.by_number() for item in rows]


def _order(name: str, views: Sequence[tuple[str, Rows]]) -> _Order | None:
    """The order of the samples; None where no view has an index."""
    named = [(view, item.index) for view, item in views if item.index is not None]
    if not named or not all(len(item) for _, item in views):  # an empty view is told of where shapes are checked
        return None
    first = named[0][1]
    alike = all(index == first for _, index in named)
    if alike and len(set(first)) < len(first):
        order = _Order(first, is_of_all=True, alike=True, distinct=False)
    else:
        for view, index in named:
            _require_distinct(f"{name}: the index of view '{view}'", index)
        _require_meeting(name, named)
        union = dict.fromkeys(text for _, index in named for text in index)
        full = next((index for _, index in named if len(index) == len(union)), None)
        order = _Order(full or tuple(union), is_of_all=full is not None, alike=alike)
    for view, item in views:
        if item.index is None and not alike:
            raise InvalidData(
                f"{name}: view '{view}' has no index, and the other views have theirs in different orders; give it "
                "one, as in pandas.DataFrame(array, index=ids)."
            )
        if item.index is None and len(item) != len(order.ids):
            raise InvalidData(
                f"{name}: view '{view}' has {len(item)} rows and no index, and view '{named[0][0]}' has "
                f"{len(order.ids)}; every view needs one row per sample, or an index that says which it has."
            )
    return order


def _require_distinct(about: str, index: Sequence[str]) -> None:
    if len(set(index)) < len(index):
        twice, times = Counter(index).most_common(1)[0]
        raise InvalidData(
            f"{about} has '{twice}' {times} times; give each sample one row, as .groupby(level=0).first() does, "
            "or go by position with .reset_index(drop=True)."
        )


def _require_meeting(name: str, named: Sequence[tuple[str, Sequence[str]]]) -> None:
    """Raise InvalidData for a view that has no sample in common with any other."""
    for view, index in named:
        others = [(other, ids) for other, ids in named if other != view and ids]
        if index and others and not any(set(index) & set(ids) for _, ids in others):
            other, ids = others[0]
            words = no_common_ids(f"view '{view}'", index, f"view '{other}'", ids).removesuffix(".")
            raise InvalidData(f"{name}: {words}, or go by position with .reset_index(drop=True).")


def _placed(about: str, rows: Rows, order: _Order, square: bool) -> Any:
    """The numbers of a view with a row for every sample, of NaN where it has none."""
    if rows.index is None or rows.index == order.ids:
        return _columns_placed(about, rows, rows.index or order.ids) if square else rows.values
    values = _columns_placed(about, rows, rows.index) if square else rows.values
    row_of = {text: row for row, text in enumerate(rows.index)}
    at = np.array([row_of.get(text, -1) for text in order.ids])
    gaps = at < 0
    if gaps.any():
        values = values.toarray() if sparse.issparse(values) else values
        values = values if values.dtype.kind == "f" else values.astype(np.float64)
    placed = values[at]
    placed = placed[:, at] if square else placed
    if gaps.any():
        placed[gaps] = np.nan
    return placed


def _columns_placed(about: str, rows: Rows, index: Sequence[str]) -> Any:
    """A square matrix whose columns are in the order of its rows, by their names."""
    if rows.columns is None or rows.columns == tuple(index) or rows.index is None:
        return rows.values
    if sorted(rows.columns) != sorted(index):
        missing = len(set(index) - set(rows.columns))
        raise InvalidData(
            f"{about}: {missing} of the {len(index)} samples in its index are no columns; the rows and columns of a "
            "kernel or of distances are the same samples."
        )
    column_of = {text: column for column, text in enumerate(rows.columns)}
    return rows.values[:, [column_of[text] for text in index]]


def _present(rows: Sequence[Rows], order: _Order) -> NDArray[np.bool_]:
    sets = [set(order.ids if item.index is None else item.index) for item in rows]
    return np.array([[text in ids for ids in sets] for text in order.ids])


# labels, mask, ids ------------------------------------------------------------------------------------------


def _labels(name: str, labels: Any) -> Rows:
    """The labels as one column, with the ids that they are of."""
    if isinstance(labels, Mapping):
        texts = tuple(text_of(key) or "" for key in labels)
        return Rows(label_column(name, list(labels.values())), texts, whole=all(isinstance(k, int) for k in labels))
    rows = index_of(f"{name}: the labels", labels)
    if is_pandas(labels, "DataFrame") and labels.shape[1] != 1:
        names = ", ".join(map(repr, labels.columns[:5]))
        ids = next((name for name in labels.columns[:-1] if labels[name].is_unique), None)
        by_id = "" if ids is None else f"frame.set_index({ids!r})[{labels.columns[-1]!r}] or "
        raise InvalidData(
            f"{name}: the labels are a table of {labels.shape[1]} columns ({names}); give one, as in "
            f"{by_id}frame[{labels.columns[-1]!r}]."
        )
    return replace(rows, values=label_column(name, labels))


def _mask(name: str, mask: Any, views: Sequence[str]) -> Rows:
    """The mask (n, V), its columns in the order of the views, with the ids that it is of."""
    if isinstance(mask, Mapping):
        from pandas import DataFrame

        mask = DataFrame(dict(mask))
    rows = index_of(f"{name}: the mask", mask)
    if rows.columns is not None and rows.columns != tuple(views):
        if sorted(rows.columns) != sorted(views):
            raise InvalidData(
                f"{name}: the columns of the mask are {', '.join(rows.columns)}, and the views are "
                f"{', '.join(views)}; give it the names of the views."
            )
        mask = mask.iloc[:, [rows.columns.index(view) for view in views]]
    values = np.asarray(mask)
    if values.dtype == object:  # True, False and NA, of which NumPy compares none
        values = numbers_of(values.ravel())[0].reshape(values.shape)
    return replace(rows, values=values)


def _in_order(name: str, what: str, rows: Rows, order: _Order | None, n: int) -> Any:
    """Labels or a mask in the order of the samples."""
    if order is None or (rows.index is not None and rows.index == order.ids):
        return rows.values
    if rows.index is None:
        if not order.is_of_all:
            raise InvalidData(
                f"{name}: no view has all {n} samples, so that no order says whose the {what} are; give an index, "
                f"as in pandas.{'Series' if what == 'labels' else 'DataFrame'}({what}, index=ids)."
            )
        return rows.values
    _require_distinct(f"{name}: the index of the {what}", rows.index)
    row_of = {text: row for row, text in enumerate(rows.index)}
    missing = [text for text in order.ids if text not in row_of]
    if missing:
        hint = spelling_hint("the samples", missing, f"the {what}", rows.index)
        raise InvalidData(
            f"{name}: {n - len(missing)} of the {n} samples are in the index of the {what} ('{missing[0]}' is not; it "
            f"has '{rows.index[0]}'){f'; {hint}' if hint else ''}; give all of them, or go by position with "
            f"{what}.to_numpy()."
        )
    return rows.values[[row_of[text] for text in order.ids]]


def _ids(name: str, ids: Any, order: _Order | None) -> Any:
    """The ids that are given; else those of the index, where they tell the samples apart."""
    if ids is None:
        return order.ids if order is not None and order.distinct else None
    given = tuple(ids)
    if order is None or order.alike or tuple(map(text_of, given)) == order.ids:
        return given
    raise InvalidData(f"{name}: the views have ids by their index, in different orders; leave ids= out.")
