"""Kinds of tables and figures: each is one module, found by its name, with its numbers and its drawing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from mvarena.errors import MvarenaError, unknown_name
from mvarena.report.files import file_stems

if TYPE_CHECKING:
    import pandas as pd

    from mvarena.report.data import ReportData
    from mvarena.report.drawing.canvas import Drawing
    from mvarena.report.style import Looks
    from mvarena.report.tables.model import Table

TABLES = ("results", "paper", "ranks", "pairs", "preparations", "regret", "quality", "inventory", "costs")
FIGURES = (
    "rate", "bars", "heatmap", "standings", "pareto", "preparations", "scaling", "convergence", "sensitivity",
    "survival", "missing", "embedding",
)  # fmt: skip
MOST = 12  # figures of one kind that a report draws unasked


class Kind(Protocol):
    """SUMMARY : what it shows, in words. NEEDS : what must be stored for it, as the sentence says that refuses it."""

    SUMMARY: str
    NEEDS: str


class TableKind(Kind, Protocol):
    """Module of `mvarena.report.tables`."""

    @staticmethod
    def tables(results: ReportData) -> list[Table]:
        """The tables; none where there is nothing to show."""


class FigureKind(Kind, Protocol):
    """Module of `mvarena.report.figures`. SPLIT : columns of the points whose values have a figure each."""

    SPLIT: Sequence[str]

    @staticmethod
    def points(results: ReportData) -> pd.DataFrame:
        """Everything that it shows, in all of its figures; no rows where there is nothing."""

    @staticmethod
    def draw(points: pd.DataFrame, looks: Looks, width: float) -> Drawing:
        """One figure of `width` inches with its caption, to be laid out by `mvarena.report.kinds.draw`."""


def table_kind(name: str) -> TableKind:
    """The kind of table of this name. Raises UnknownName for any other."""
    check_kinds((name,), ())
    return cast(TableKind, import_module(f"mvarena.report.tables.{name}"))


def figure_kind(name: str) -> FigureKind:
    """The kind of figure of this name, with matplotlib. Raises UnknownName for any other."""
    check_kinds((), (name,))
    return cast(FigureKind, import_module(f"mvarena.report.figures.{name}"))


def check_kinds(tables: Sequence[str], figures: Sequence[str]) -> None:
    """Raise UnknownName for a kind that there is none of."""
    for what, names, known in (("table", tables, TABLES), ("figure", figures, FIGURES)):
        for name in names:
            if name not in known:
                raise unknown_name(f"kind of {what}", name, known, f"There are {', '.join(known)}.")


OnNothing = Callable[[MvarenaError], None] | None


def tables_of(results: ReportData, names: Sequence[str] | None = None, on_nothing: OnNothing = None) -> list[Table]:
    """The tables of these kinds; None: of all kinds.

    on_nothing : called with the error of each named kind that has nothing to show; None: it is raised.
    """
    result: list[Table] = []
    for name in TABLES if names is None else dict.fromkeys(names):
        found = table_kind(name).tables(results)
        if names is not None and not found:
            _nothing("table", name, table_kind(name), on_nothing)
        result += found
    return result


def figures_of(
    results: ReportData, names: Sequence[str] | None, on_nothing: OnNothing = None
) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Kind, file stem and points of each figure; None: of all kinds. on_nothing : as in `tables_of`."""
    for name in FIGURES if names is None else dict.fromkeys(names):
        kind = figure_kind(name)
        points = kind.points(results)
        if points.empty:
            if names is not None:
                _nothing("figure", name, kind, on_nothing)
            continue
        if not kind.SPLIT:
            yield name, f"figure-{name}", points
            continue
        parts = points.groupby(list(kind.SPLIT), sort=False)
        named = {" ".join(filter(None, map(str, values))): part for values, part in parts}
        for words, stem in file_stems(named).items():
            yield name, f"figure-{name}-{stem}", named[words]


def _nothing(what: str, name: str, kind: Kind, on_nothing: OnNothing) -> None:
    error = MvarenaError(
        f"there is nothing to show in the {what} '{name}'; it needs {kind.NEEDS}.", field=what, value=name
    )
    if on_nothing is None:
        raise error
    on_nothing(error)


def draw(kind: str, points: pd.DataFrame, looks: Looks, width: float = 7.0) -> Drawing:
    """The figure of `kind` from its points, with its caption. Imports matplotlib."""
    from matplotlib import rc_context

    from mvarena.report.drawing.canvas import RC, finish

    with rc_context(RC):
        drawing = figure_kind(kind).draw(points, looks, width)
        finish(drawing.figure)
    return drawing
