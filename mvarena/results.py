"""Results from Python: a database or what a run returned, filtered, summed up, as tables and figures.

results = mvarena.Results("results.db").where(datasets="digits*", rates="0.1:0.5")
results                                  # the tables, as a terminal or a notebook shows them
results.summary()                        # a DataFrame, one row per point, contestant and metric
results.figures()["rate-acc"]            # a figure; .save("figure.svg") writes it
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from mvarena.errors import FiguresLeftOut, InvalidData, InvalidSetting, StoreError, UnknownName
from mvarena.registry.catalog import installed_catalog
from mvarena.store.cards import Cards
from mvarena.store.contents import classes_by_content, ids_of_trial
from mvarena.store.encoding import canonical_json
from mvarena.store.filters import Filter, Part, chosen, parts_of
from mvarena.store.read_outcomes import details, labellings, truth
from mvarena.store.readonly import open_to_read
from mvarena.study.cards import announced_datasets, announced_methods

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from mvarena.report.data import ReportData
    from mvarena.report.formats.terminal import ShownTables
    from mvarena.store.database import Database

_NOTHING = "there are no results to show; run a study first, or use fewer filters."


class Scores(pd.DataFrame):  # type: ignore[misc]  # pandas has no types here
    """A DataFrame of scores, one row per trial and metric; what is selected or computed from it is a plain one.

    Calling it gives it back: `results.scores()` and `results.scores` are the same.
    """

    def __call__(self) -> Scores:
        return self

    @property
    def _constructor(self) -> type[pd.DataFrame]:
        return pd.DataFrame


class Results:
    """Stored results, or the scores that a run returned.

    Parameters
    ----------
    source : the path or URL of a results database, or a DataFrame of scores (`Results.scores`).
    db : beside a DataFrame, the database that the run was stored in: it gives labels.
    metrics : which are shown, in order; None: NMI and ACC, or what needs no classes where there are none.

    The database is read anew by each `Results`, and nothing is written but the upgrade of an older one. A filter or
    other metrics give further `Results`; none changes. A filter changes what is shown; claims, ratings and places are
    over all that is stored.
    Raises StoreError for what is no database, InvalidData for a DataFrame that lacks columns.

    Examples
    --------
    >>> import mvarena
    >>> results = mvarena.run("concat", "digits[fou,fac]", repeats=1, jobs=1)
    >>> results.where(algorithms="concat").scores["metric"].nunique() > 10
    True
    >>> print(results)  # doctest: +ELLIPSIS
    digits[fou,fac]...
    """

    def __init__(
        self,
        source: Any,
        *,
        db: str | os.PathLike[str] | None = None,
        metrics: str | Sequence[str] | None = None,
        only: Filter | None = None,
    ) -> None:
        wanted = [metrics] if isinstance(metrics, str) else metrics
        catalog = installed_catalog()
        self.metrics = None if wanted is None else [catalog.metric(name).name for name in wanted]
        self._source = source
        self._only = only or Filter()
        given = source if isinstance(source, (str, os.PathLike)) else db
        self._db = None if given is None else os.fspath(given)
        if isinstance(source, (str, os.PathLike)):
            open_to_read(source).close()  # a wrong path is said here, and not by the first table
        elif not hasattr(source, "columns"):
            raise InvalidSetting(
                f"results are the path of a database or a DataFrame of scores, not {type(source).__name__}.",
                field="source",
            )

    @cached_property
    def scores(self) -> Scores:
        """Every score (`mvarena.store.frames`): a row per trial and metric, failures too.

        Raises UnknownName, which says what there is, where the filter fits nothing.
        """
        from mvarena.store.frames import scores_frame

        if isinstance(self._source, (str, os.PathLike)):
            with open_to_read(self._source) as db:
                return Scores(scores_frame(db, where=chosen(db, self._only)))
        return Scores(_filtered(self._frame, self._only) if self._only else self._frame)

    @cached_property
    def _frame(self) -> pd.DataFrame:
        from mvarena.store.frames import long_form

        return long_form(_checked(self._source)).reset_index(drop=True)

    def where(self, **filters: Any) -> Results:
        """Results that match, by the words of `mvarena.store.filters.Filter`, with `rates` for its rates.

        where(algorithms="mkkm-*", datasets=["digits*", "3sources"], rates="0.1:0.5", params="mic.beta=0.1",
        statuses="failed"). Several values of a word are alternatives; a filter of a filter replaces the
        words that it names.
        """
        stated = {name: value for name in Filter.__slots__ if (value := getattr(self._only, name))}
        return self._with(only=Filter.of(**stated | filters))

    def showing(self, *metrics: str) -> Results:
        """The same results by other metrics."""
        return self._with(metrics=list(metrics) or self.metrics)

    def summary(self) -> pd.DataFrame:
        """One row per data set, corruption, rate, contestant and metric (`mvarena.analysis.summary.summarize`)."""
        return self._shown.summary

    def table(self, *kinds: str) -> ShownTables:
        """The tables that `mvarena report` prints, as data; a notebook shows them.

        kinds : of `mvarena report --table`, as "ranks". Raises UnknownName for a kind that there is none of.
        """
        from mvarena.report.formats.terminal import ShownTables
        from mvarena.report.index import printed_tables
        from mvarena.report.kinds import tables_of

        return ShownTables(tables_of(self._shown, kinds) if kinds else printed_tables(self._shown))

    def claims(self) -> list[str]:
        """Sentences on what may be claimed by each metric over all conditions; none where nothing can be compared."""
        shown = self._shown
        boards = [shown.board(metric) for metric in shown.metrics]
        return [shown.claim(board) for board in boards if board is not None]

    def figures(self, *kinds: str) -> dict[str, Picture]:
        """Figures by name, as 'rate-acc'; of all kinds that have something to show, or of those that are named.

        A notebook shows each; `.figure` is matplotlib's, `.caption` its caption, `.points` what it shows, `.save(path)`
        writes it.
        kinds : of `mvarena report --figure`, as "rate" or "pareto". Raises UnknownName for a kind that there is none
        of, MvarenaError for one with nothing to show.
        """
        from mvarena.report.kinds import draw, figures_of

        shown = self._shown
        return {
            stem.removeprefix("figure-"): Picture(*draw(kind, points, shown.looks), points)
            for kind, stem, points in figures_of(shown, kinds or None)
        }

    def labels(self, trial: str) -> list[NDArray[np.int64]]:
        """The clusters of each restart of a trial, (n,) each, by its key or the first digits of it.

        Raises StoreError for the scores of a run that was not stored, UnknownName for a key that is not there.
        """
        with self._stored(trial) as (db, key):
            return [labelling.labels for labelling in labellings(db, key)]

    def ids(self, trial: str) -> tuple[str, ...] | None:
        """Ids of the samples of a trial, (n,) in the order of its labels; None where none are known."""
        with self._stored(trial) as (db, key):
            found = labellings(db, key)
            return ids_of_trial(db, key, len(found[0].labels)) if found else None

    def truth(self, trial: str) -> NDArray[np.int64] | None:
        """The classes of the data of a trial, (n,), -1 where unlabelled; None where there are none."""
        with self._stored(trial) as (db, key):
            return truth(db, key)

    def trial(self, trial: str) -> dict[str, Any]:
        """All that is stored of a trial (`mvarena.store.read_outcomes.details`)."""
        with self._stored(trial) as (db, key):
            return details(db, key)

    def write(
        self,
        folder: str | os.PathLike[str],
        *,
        tables: Sequence[str] | None = None,
        figures: Sequence[str] | None = None,
        width: float = 7.0,
    ) -> list[Path]:
        """Write tables and figures into a folder, as `mvarena report` does; their paths.

        tables, figures : kinds, as `tables` and `figures` take them; None: all that have something to show. Of a kind
        of figure that is not named at most 12 are drawn; where there are more, a FiguresLeftOut warning says so.
        width : of figures, in inches.
        """
        from mvarena.report.write import write_report

        return write_report(
            self._shown, Path(folder), tables=tables, figures=figures, width=width, on_left_out=_warn_left_out
        )

    def __len__(self) -> int:
        """Number of trials."""
        return int(self.scores["key"].nunique())

    def __repr__(self) -> str:
        """The tables, as the terminal shows them."""
        return _NOTHING if self.scores.empty else repr(self.table())

    def _repr_html_(self) -> str:
        """The tables, for a notebook."""
        return f"<p>{escape(_NOTHING)}</p>" if self.scores.empty else self.table()._repr_html_()

    @cached_property
    def _shown(self) -> ReportData:
        from mvarena.report.data import ReportData, facts_beside, with_shown

        if self.scores.empty:
            raise StoreError(_NOTHING)
        metrics = self.metrics or ()
        if isinstance(self._source, (str, os.PathLike)):
            with open_to_read(self._source) as db:
                return ReportData.from_database(db, self._only, metrics=metrics, fits=True)
        if self._db is None:
            facts: dict[str, Any] = {"cards": _installed_cards(self._frame)}
        else:
            with open_to_read(self._db) as db:
                facts = facts_beside(db, self._frame, fits=True)
                facts["classes"] = classes_by_content(db, self._frame["content"].unique())
        places = self.scores[["key", "dataset", "protocol"]].itertuples(index=False, name=None)
        frame = with_shown(self._frame, set(places) if self._only else None)
        return ReportData.of_scores(frame, metrics=metrics, **facts)

    def _with(self, **changes: Any) -> Results:
        same: dict[str, Any] = {"db": self._db, "metrics": self.metrics, "only": self._only}
        return Results(self._source, **same | changes)

    @contextmanager
    def _stored(self, trial: str) -> Iterator[tuple[Database, str]]:
        """The database, and the whole key of a trial in it."""
        from mvarena.store.overview import key_of

        if self._db is None:
            raise StoreError(
                "labels are stored in the database of a run; name one, as in mvarena.run(..., db='results.db')."
            )
        with open_to_read(self._db) as db:
            yield db, key_of(db, trial)


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure that a notebook shows. figure : matplotlib's. caption : its caption. points : what it shows."""

    figure: Figure
    caption: str
    points: pd.DataFrame

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write it as .png, .svg or .pdf. Raises InvalidSetting for another ending, or what cannot be written."""
        from mvarena.report.drawing.canvas import image_bytes
        from mvarena.report.files import write_file

        target = Path(path)
        kind = target.suffix.lower().removeprefix(".")
        if kind not in ("png", "svg", "pdf"):
            raise InvalidSetting(f"'{target}' must end in .png, .svg or .pdf.", field="path", value=str(target))
        return write_file(target, image_bytes(self.figure, kind))  # type: ignore[arg-type]  # one of these

    def __repr__(self) -> str:
        return f"Picture({len(self.points)} points)"

    def _repr_png_(self) -> bytes:
        from mvarena.report.drawing.canvas import image_bytes

        return image_bytes(self.figure, "png")


def _warn_left_out(kind: str, drawn: int, of: int) -> None:
    warnings.warn(
        f"Of the {of} figures {kind!r} {drawn} are drawn; write(..., figures=[{kind!r}]) draws all.",
        FiguresLeftOut,
        stacklevel=5,
    )


def _installed_cards(frame: pd.DataFrame) -> Cards:
    """Cards of what a frame without a database is about. Cost: imports the methods."""
    return Cards(announced_methods(frame["algorithm"]), announced_datasets(frame["dataset"]))


def _checked(frame: pd.DataFrame) -> pd.DataFrame:
    from mvarena.store.frames import COLUMNS

    missing = [name for name in COLUMNS if name not in frame.columns]
    if missing:
        raise InvalidData(f"results need the column {missing[0]}; pass the whole DataFrame (`Results.scores`).")
    return frame


def _filtered(frame: pd.DataFrame, only: Filter) -> pd.DataFrame:
    """The rows of a frame that fit, as a database would choose them.

    Raises InvalidSetting for words that cannot be read, UnknownName for a word that fits no row, or all together none.
    """
    methods = announced_methods(frame["algorithm"].unique())
    defaults = {name: card.defaults or {} for name, card in methods.items()}
    whole = kept = frame.assign(params=_with_defaults(frame, defaults))

    def distinct(*columns: str) -> list[tuple[Any, ...]]:
        return list(whole[list(columns)].drop_duplicates().itertuples(index=False, name=None))

    for part in parts_of(only, distinct, {name: card.family for name, card in methods.items()}):
        kept = kept[_taken(kept, part)]
    if kept.empty:
        raise UnknownName("No scores match all filters; remove one of them.")
    return frame.loc[kept.index].reset_index(drop=True)


def _with_defaults(frame: pd.DataFrame, defaults: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """All parameters of each row, as JSON: those that are shown, and the defaults (algorithm -> its own)."""
    pairs = zip(frame["algorithm"], frame["params"], strict=True)
    return [canonical_json({**defaults.get(name, {}), **json.loads(text)}) for name, text in pairs]


def _taken(frame: pd.DataFrame, part: Part) -> NDArray[np.bool_]:
    """(n,) whether each row is one that a part of a filter takes."""
    wanted, rows = set(part.values), zip(*(frame[name] for name in part.columns), strict=True)
    return np.fromiter((row in wanted for row in rows), dtype=bool, count=len(frame))
