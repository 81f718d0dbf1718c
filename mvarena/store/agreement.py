"""Classes against clusters: the table of one stored labelling of each of many trials."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import select

from mvarena.store.codec import unpack_labels
from mvarena.store.database import Database
from mvarena.store.schema import attempts, labellings, truths
from mvarena.store.trials import IS_CURRENT, batches


def agreement_tables(db: Database, restarts: Mapping[str, int], most_cells: int) -> dict[str, NDArray[np.int64]]:
    """Key -> (classes, clusters) of how many samples; one row for all where the data have no classes.

    restarts : key -> which restart's labelling. Samples without a class (-1) are left out where there are classes; a
    table of more than `most_cells` cells is left out as a whole.
    Cost: two statements for each 5000 keys and restart, and O(samples) for each trial.
    """
    classes: dict[str, NDArray[np.int64]] = {}
    found: dict[str, NDArray[np.int64]] = {}
    with db.read() as connection:
        for restart, keys in _by_restart(restarts).items():
            for batch in batches(keys):
                query = select(attempts.c.key, attempts.c.truth_id, labellings.c.labels).join(labellings)
                chosen = (IS_CURRENT, attempts.c.key.in_(batch), labellings.c.restart == restart)
                rows = connection.execute(query.where(*chosen)).fetchall()
                _add_classes(connection, {row.truth_id for row in rows if row.truth_id} - classes.keys(), classes)
                for row in rows:
                    table = _table(classes.get(row.truth_id or ""), unpack_labels(row.labels))
                    if 0 < table.size <= most_cells:
                        found[str(row.key)] = table
    return found


def _by_restart(restarts: Mapping[str, int]) -> dict[int, list[str]]:
    keys: dict[int, list[str]] = {}
    for key, restart in restarts.items():
        keys.setdefault(restart, []).append(key)
    return keys


def _add_classes(connection: object, wanted: Iterable[str], known: dict[str, NDArray[np.int64]]) -> None:
    for batch in batches(wanted):
        query = select(truths.c.id, truths.c.labels).where(truths.c.id.in_(batch))
        known |= {row.id: unpack_labels(row.labels) for row in connection.execute(query)}  # type: ignore[attr-defined]


def _table(truth: NDArray[np.int64] | None, labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """(classes, clusters), both in the order of their numbers."""
    clusters, column = np.unique(labels, return_inverse=True)
    if truth is None or len(truth) != len(labels):
        return np.bincount(column, minlength=len(clusters))[None, :]
    known = truth >= 0
    classes, row = np.unique(truth[known], return_inverse=True)
    cells = np.bincount(row * len(clusters) + column[known], minlength=len(classes) * len(clusters))
    return cells.reshape(len(classes), len(clusters))
