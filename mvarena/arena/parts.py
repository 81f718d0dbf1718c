"""Sections of a release's page on the parts of its suite: tuning, deep methods, survival."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import pandas as pd

from mvarena.analysis.significance import ALPHA
from mvarena.analysis.standings import standings
from mvarena.arena.board import BOARD_COLUMNS, NUMBERS, SuiteBoard, board_lines
from mvarena.arena.release import scores_of_suite
from mvarena.arena.suites import LOG_RANK, LOG_RANK_5
from mvarena.arena.tuning import tuning_sentences, tuning_table
from mvarena.errors import InvalidData
from mvarena.report.data import ReportData
from mvarena.report.formats.pages import markdown_rows
from mvarena.store.cards import Cards
from mvarena.store.database import Database
from mvarena.text import plural

_SHOWN = 12
_LEADERS = 5  # beside the methods that only one part has
_DEEP = "deep"  # in the name of their family


def tuning_part(rows: pd.DataFrame, file: str) -> Iterator[str]:
    """The three columns of tuning. rows : of `mvarena.arena.tuning.tuning`. file : that holds them."""
    if rows.empty:
        return
    table = tuning_table(rows)
    corpora = plural(rows["corpus"].nunique(), "corpus", "corpora")
    yield f"**What tuning gives** (NMI, complete data and half of the samples incomplete, {corpora})"
    yield " ".join(tuning_sentences(table))
    yield tuning_rows(table.head(_SHOWN))
    yield (
        "Default, chosen without classes, consensus of all settings, and best by classes* (marked, not ranked), each "
        f"over the same points, with the 95 % interval over corpora; corpus by corpus in [{file}]({file})."
    )
    if len(table) > _SHOWN:
        yield f"<details>\n<summary>The other {plural(len(table) - _SHOWN, 'method')}</summary>"
        yield tuning_rows(table.iloc[_SHOWN:])
        yield "</details>"


def tuning_rows(table: pd.DataFrame) -> str:
    """The table of columns of tuning in Markdown."""
    heads = ("method", "default", "chosen", "consensus", "best*", "gain of the choice", "points", "corpora")
    rows = [
        (
            row.method,
            *(_with_interval(row, name) for name in ("default", "chosen", "consensus", "best")),
            _with_interval(row, "gain", "+z.1f"),
            int(row.points),
            int(row.corpora),
        )
        for row in table.itertuples()
    ]
    return markdown_rows(heads, rows, "lrrrrrrr")


def _with_interval(row: object, name: str, form: str = ".1f") -> str:
    value, low, high = (getattr(row, f"{name}{ending}") for ending in ("", "_low", "_high"))
    return f"{value:{form}}" + ("" if low != low else f" ({low:{form}} to {high:{form}})")


DEEP_COLUMNS = ("label", "family", *BOARD_COLUMNS)


def deep_table(board: SuiteBoard) -> pd.DataFrame:
    """The table of a board with the label and the family of each method, columns DEEP_COLUMNS."""
    names = board.table["contestant"]
    families = names.map(lambda name: board.cards.method(name.partition(" ")[0]).family)
    return board.table.assign(label=names.map(board.labels), family=families)[list(DEEP_COLUMNS)]


def deep_part(rows: pd.DataFrame, on_main_board: Collection[str], file: str) -> Iterator[str]:
    """Deep methods, and others that only this part has, among all others; nothing where there are none.

    rows : of `deep_table`. on_main_board : contestants of the suite. file : that holds the rows.
    """
    names = list(rows["contestant"])
    own = [name for name in names if name not in on_main_board]
    if not own:
        return
    yield "**Deep methods** (NMI, the part `arena-deep` of the suite, with limits of its own)"
    deep = rows[rows["family"].str.contains(_DEEP)]
    for best in deep.head(1).itertuples():
        yield (
            f"Of {plural(len(deep), 'deep method')} the first, {best.label}, is at place {best.place} of {len(rows)}; "
            f"it finished {best.finished} of {best.conditions} conditions."
        )
    twins = [name for name in names if any(other.endswith(f"-{name}") for other in own)]  # daimc of imml-daimc
    shown = rows[rows["contestant"].isin({*names[:_LEADERS], *own, *twins})]
    align = "".join("l" if head in ("method", "95 %") else "r" for head in ("", "method", *NUMBERS))
    labels = dict(zip(shown["contestant"], shown["label"], strict=True))
    yield markdown_rows(("", "method", *NUMBERS), board_lines(shown, labels), align)
    yield (
        f"The first {_LEADERS}, all methods that only this part has, and those of the same name on the board; all in "
        f"[{file}]({file}). Trials of the board's methods are those of the board: one that reached the limit of time "
        "there is not run again."
    )


def survival_part(db: Database, study: str, cards: Cards) -> Iterator[str]:
    """Methods by the log-rank test of their clusters on data with survival; nothing where none was run."""
    scores = scores_of_suite(db, study, [LOG_RANK, LOG_RANK_5])
    scores = scores[scores["metric"].isin([LOG_RANK, LOG_RANK_5])]
    if scores.empty:
        return
    data = ReportData.of_scores(scores, cards=cards, metrics=(LOG_RANK, LOG_RANK_5))
    rows = data.whole[data.whole["competes"].astype(bool)]
    try:
        table = standings(rows[rows["metric"] == LOG_RANK], LOG_RANK, higher_is_better=False)
    except InvalidData:
        return
    yield "**Survival** (log-rank p of the clusters, unchanged data)"
    ranked = rows[rows["dataset"].isin(table.corpus_of)]
    below = ranked[ranked["mean"] < ALPHA].groupby(["contestant", "metric"])["dataset"].nunique()
    heads = ("", "method", "mean rank", f"data sets with p < {ALPHA:g}", "by clusters of five or more")
    shown = [
        (
            table.places[name], data.context.contestant(str(name)), f"{rank:.1f}",
            *(f"{below.get((name, metric), 0)} of {table.n_datasets}" for metric in (LOG_RANK, LOG_RANK_5)),
        )
        for name, rank in table.mean_ranks.head(_SHOWN).items()
    ]  # fmt: skip
    yield markdown_rows(heads, shown, "rlrrr")
    yield (
        f"By mean rank over {table.over}; no class is used. A cluster of a few patients can decide p alone, so the "
        "last column leaves clusters of fewer than five out. A small p among many tests is no finding by itself."
    )
