"""Outcomes of the samples of a source: those of its data set, or of a user's file, in the order of its data."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mvarena.contracts.outcome_table import OutcomeTable
from mvarena.contracts.source import Source, file_name
from mvarena.errors import DataUnavailable, InvalidData
from mvarena.readers.outcomes import columns_of, read_outcomes
from mvarena.registry.catalog import Catalog
from mvarena.study.file_locations import outcomes_path, remember_outcomes
from mvarena.study.sources import data_source, load_source, located, understand_source
from mvarena.text import listed, plural

if TYPE_CHECKING:
    from mvarena.data import MultiViewData

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
        if path is None and Path(source.outcomes.path).is_absolute():
            raise DataUnavailable(f"There is no file {source.outcomes.path}.", field="outcomes")
        if path is None:
            raise DataUnavailable(
                f"The outcomes of {source.name} ({file_name(source.outcomes.path)}) were not found, and results do "
                "not store folders; run this in the folder that holds the file, or name that folder in MVARENA_DATA.",
                field="outcomes",
            )
        remember_outcomes(source)
        table = _joined(path, source, every, whole, catalog)
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


def _joined(path: Path, source: Source, every: Source, whole: MultiViewData, catalog: Catalog) -> OutcomeTable:
    """The outcomes in a user's file. InvalidData asks for the orientation where features have its ids."""
    assert source.outcomes is not None
    try:
        table = read_outcomes(path, source.outcomes.time, source.outcomes.event, whole.ids, source.options.decimal)
    except InvalidData as error:
        features = {name for view in understand_source(every, catalog).features or () for name in view or ()}
        if source.options.orientation is None and any(len(features.intersection(ids)) > 1 for ids in columns_of(path)):
            raise InvalidData(
                f"The ids of {path.name} stand in the header of {source.name}, so that the samples seem to be columns; "
                "give the orientation, columns.",
                field="orientation",
            ) from error
        raise
    if whole.ids is not None:
        return table
    return replace(table, notes=("its rows are the samples, in their order, as the data have no ids", *table.notes))


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
        parts.append(f"survival of {known}{of} samples ({plural(int(table.event.sum()), 'event')})")
    if table.columns:
        names = list(table.columns)
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        parts.append(f"{plural(len(names), 'column')} ({', '.join(names[:_MOST_NAMED])}{more})")
    advice = survival_advice(table)
    said = "; ".join([" and ".join(parts) or "none", *table.notes])
    return f"{source.name}: outcomes: {said}.{f' {advice}' if advice else ''}"


def survival_advice(table: OutcomeTable) -> str:
    """The options that read columns as survival that look like it, and that they are not tested; '' without any."""
    found = table.like_survival
    if not found.times:
        return ""
    names = [name for name in table.columns if name in (*found.times, *found.events)]
    words = "look like survival, so they are not tested as plain columns"
    if len(names) == 1:
        words = "looks like survival, so it is not tested as a plain column"
    said = f"{listed(names)} {words}"
    if table.time is not None:
        return f"{said}."
    time, event = found.pair or (found.times[0], "COLUMN")
    return f"{said}; --time {shlex.quote(time)} --event {shlex.quote(event)} compares the survival of the clusters."
