"""Outcomes of the samples of a source: those of its data set, or of a user's file, in the order of its data."""

from __future__ import annotations

import numpy as np

from mvarena.contracts.outcome_table import OutcomeTable
from mvarena.contracts.source import Source, file_name
from mvarena.errors import DataUnavailable, InvalidData
from mvarena.readers.outcomes import read_outcomes
from mvarena.registry.catalog import Catalog
from mvarena.study.file_locations import outcomes_path, remember_outcomes
from mvarena.study.sources import data_source, load_source, located
from mvarena.text import plural

_MOST_NAMED = 8


def outcomes_of(source: Source, content: str, catalog: Catalog) -> OutcomeTable | None:
    """Outcomes of the samples of a source, in the order of its data; None where there are none.

    A user's file is joined by the ids of the samples where both have ids, else row by row. Of picked views, the
    outcomes of the samples that these observe. content : of the data, to find files that are named without folders.

    Raises DataUnavailable for files that are not at hand, InvalidData and UnknownName as
    `mvarena.readers.outcomes.read_outcomes`, and InvalidData for another number of samples.
    """
    if source.outcomes is None and not source.dataset:
        return None
    every = located(source, content, catalog)
    whole = load_source(_whole(every), catalog) if source.views or source.outcomes is not None else None
    if whole is None or source.outcomes is None:
        table = data_source(every, catalog).outcomes()
    else:
        path = outcomes_path(source)
        if path is None:
            raise DataUnavailable(
                f"The outcomes of {source.name} ({file_name(source.outcomes.path)}) were not found, and results do "
                "not store folders; run this in the folder that holds the file, or name that folder in MVARENA_DATA.",
                field="outcomes",
            )
        remember_outcomes(source)
        table = read_outcomes(path, source.outcomes.time, source.outcomes.event, whole.ids)
    if table is None:
        return None
    if whole is not None and whole.n_samples != table.n_samples:
        raise InvalidData(
            f"{source.name} has {plural(whole.n_samples, 'sample')}, and its outcomes have {table.n_samples} rows; "
            "give one row per sample, or ids in the first column of every file.",
            field="outcomes",
        )
    if whole is None or not source.views:
        return table
    picked = [whole.view_names.index(name) for name in source.views]
    return table.take(np.flatnonzero(whole.mask[:, picked].any(axis=1)))


def _whole(source: Source) -> Source:
    """The same with all views."""
    if source.dataset:
        return Source(dataset=source.dataset)
    return Source(paths=source.paths, options=source.options)


def outcomes_note(source: Source, table: OutcomeTable) -> str:
    """A sentence on what is known of the samples."""
    parts = []
    if table.event is not None:
        known = int(table.known.sum())
        of = "" if known == table.n_samples else f" of {table.n_samples}"
        parts.append(f"survival of {known}{of} samples with {plural(int(table.event.sum()), 'event')}")
    if table.columns:
        names = list(table.columns)
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        parts.append(f"{plural(len(names), 'column')} ({', '.join(names[:_MOST_NAMED])}{more})")
    return f"{source.name}: outcomes: {' and '.join(parts) or 'none'}."
