"""Data sets read by the layout on their card (`mvarena.loaders.cards.Layout`)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.outcome_table import OutcomeTable
from mvarena.data import MultiViewData
from mvarena.errors import InvalidData
from mvarena.loaders.cards import Card, CardView, Layout
from mvarena.loaders.places import Places
from mvarena.loaders.rda import known, matrix_of
from mvarena.readers.kinds import is_symmetric
from mvarena.readers.limits import compact


class Table(NamedTuple):
    """A matrix and the names of its rows and columns, where it has names."""

    matrix: Any
    rows: Sequence[str]
    columns: Sequence[str]


def read_layout(card: Card, files: Mapping[str, Path]) -> MultiViewData:
    """Data of the card, from its files. Raises InvalidData if they lack a place of its layout."""
    layout = card.layout
    assert layout is not None  # it is what makes a card one of this loader
    places = Places(card.name, files, layout.header)
    tables = [_table(places, layout, view, number) for number, view in enumerate(card.views, start=1)]
    ids = _ids(places, layout, tables[0])
    labels = _labels(places, card, layout, ids)
    if ids is None:
        arrays, mask = [table.matrix.T if layout.transposed else table.matrix for table in tables], None
    else:
        unnamed = {"columns" if layout.transposed else "rows": ids}  # whose samples are in the order of the ids
        named = [table if table.rows or table.columns else table._replace(**unnamed) for table in tables]
        if labels is not None and layout.leave_out:
            kept = np.flatnonzero(~np.isin(labels, layout.leave_out))
            labels, ids = labels[kept], [ids[row] for row in kept]
        found = [_joined(table, ids, layout.id_letters) for table in named]
        arrays, mask = [matrix for matrix, _ in found], np.column_stack([observed for _, observed in found])
    data = MultiViewData.from_arrays(
        [_symmetric(card.name, array) if layout.kind != "features" else compact(array) for array in arrays],
        mask=mask,
        labels=labels,
        n_clusters=card.clusters if labels is None else None,
        name=card.name,
        view_names=[view.name for view in card.views],
        kinds=[layout.kind] * len(card.views),
        ids=ids,
    )
    return data.take(np.flatnonzero(data.complete_samples)) if layout.complete else data


def read_outcomes_at(card: Card, files: Mapping[str, Path]) -> OutcomeTable:
    """Outcomes of samples in a file other than a table of text. Raises InvalidData as `read_layout` does."""
    own = card.outcomes
    assert own is not None
    table = Places(card.name, files).value(f"{own.file}:{own.place}")
    parts: dict[str, Any] = {}
    if own.time:
        event, time, *others = (
            np.asarray(known(np.asarray(table[name])), dtype=np.float64) for name in (own.event, *own.time.split())
        )
        for other in others:
            time = np.where(np.isnan(time), other, time)
        time = np.where(np.isnan(event), np.nan, time)
        parts = {"time": time, "event": (event == 1) & ~np.isnan(time), "names": (own.time, own.event)}
    columns = {name: np.array(["" if v is None or v != v else str(v) for v in table[name]]) for name in own.columns}
    return OutcomeTable(n_samples=card.samples, columns=columns, **parts)


def _table(places: Places, layout: Layout, view: CardView, number: int) -> Table:
    """The matrix of one view, of one or several places."""
    main = view.place or layout.views.replace("#", str(number)).replace("*", view.name)
    parts = [matrix_at(places, place, layout.codes) for place in _each(main)]
    rows = _texts(places.value(view.ids)) if view.ids else [name for part in parts for name in part.rows]
    if len(parts) > 1:
        stack = np.hstack if layout.transposed else np.vstack
        return Table(stack([part.matrix for part in parts]), rows, parts[0].columns)
    if view.beside:
        others = [matrix_at(places, place, layout.codes) for place in view.beside]
        if any(list(other.rows) != rows for other in others):
            raise InvalidData(f"The files of '{view.name}' do not list the same samples in the same order.")
        return Table(np.hstack([parts[0].matrix, *(other.matrix for other in others)]), rows, ())
    return parts[0]._replace(columns=rows) if view.ids and layout.transposed else parts[0]._replace(rows=rows)


def matrix_at(places: Places, place: str, codes: Mapping[str, float] | None = None) -> Table:
    """An array, sparse matrix, data frame or one column of it, with the names that it has."""
    value = places.value(place)
    if hasattr(value, "to_frame") and not hasattr(value, "columns"):
        value = value.to_frame()
    if not hasattr(value, "columns"):
        return Table(*matrix_of(value))
    if codes:
        value = value.apply(lambda column: column.astype(object).map(lambda cell: codes.get(cell, cell)))
    try:
        return Table(value.to_numpy(dtype=np.float64), _texts(value.index), _texts(value.columns))
    except ValueError as error:
        raise InvalidData(f"'{place}' is not a table of numbers: {error}.") from error


def _each(places: str | tuple[str, ...]) -> tuple[str, ...]:
    return (places,) if isinstance(places, str) else places


def _texts(values: Any) -> list[str]:
    return [str(value) for value in values]


def _ids(places: Places, layout: Layout, first: Table) -> list[str] | None:
    if not layout.ids:
        return None
    if layout.ids != "rows":
        return _texts(places.value(layout.ids))
    return list(first.columns if layout.transposed else first.rows)


def _joined(table: Table, ids: list[str], letters: int | None) -> tuple[Any, NDArray[np.bool_]]:
    """(n, d) the row of each id, of any sample where there is none; (n,) whether there is one."""
    rows, columns = [[name[:letters] for name in names] for names in (table.rows, table.columns)]
    across = len(set(ids) & set(columns)) > len(set(ids) & set(rows))
    row_of = {name: row for row, name in reversed(list(enumerate(columns if across else rows)))}
    found = np.array([row_of.get(name, -1) for name in ids])
    matrix = table.matrix.T if across else table.matrix
    if len(row_of) > matrix.shape[0]:
        raise InvalidData(f"A view has {matrix.shape[0]} samples, and {len(row_of)} ids.")
    matrix = sparse.csr_array(matrix) if sparse.issparse(matrix) else matrix
    return matrix[np.maximum(found, 0)], found >= 0


def _labels(places: Places, card: Card, layout: Layout, ids: list[str] | None) -> NDArray[Any] | None:
    if not layout.labels:
        return None
    if layout.labels == "sorted":
        counts = card.counts
        names = list(card.class_counts) if isinstance(card.class_counts, dict) else list(range(1, len(counts) + 1))
        return np.repeat(np.array(names), counts)
    if layout.labels == "ids":
        labels = np.array(ids)
    else:
        labels = np.concatenate([_classes(places.value(place)) for place in _each(layout.labels)])
    if layout.label_pattern:
        pattern = re.compile(layout.label_pattern)
        labels = np.array([found[1] if (found := pattern.search(str(label))) else "" for label in labels])
    if layout.classes:
        labels = np.array([layout.classes.get(str(label), str(label)) for label in labels])
    return labels


def _classes(value: Any) -> NDArray[Any]:
    """(n,) labels, of a column, a row, or indicators of the classes (n x k)."""
    labels = np.asarray(value)
    if labels.ndim == 2 and min(labels.shape) > 1:
        labels = labels.argmax(axis=1)
    labels = labels.ravel()
    whole = labels.dtype.kind == "f" and (labels == np.round(labels)).all()
    return labels.astype(np.int64) if whole else labels


def _symmetric(name: str, array: Any) -> NDArray[np.float64]:
    """A kernel or distances, without asymmetry from rounding (single precision, other people's loops)."""
    matrix = np.array(array, dtype=np.float64)
    if matrix.ndim != 2 or not is_symmetric(matrix):
        raise InvalidData(f"{name}: a view is not symmetric, or not samples x samples but {matrix.shape}.")
    return (matrix + matrix.T) / 2
