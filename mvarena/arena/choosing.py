"""Loss of choices among all methods that see no labels of the data at hand."""

from __future__ import annotations

import pandas as pd

from mvarena.analysis.picking import ALL_METHODS, picking_summary, picks_among
from mvarena.analysis.standings import Standings
from mvarena.arena.board import MAIN, Board
from mvarena.store.database import Database
from mvarena.store.trials import done_trials

PICKERS = ("consensus", "centrality", "random")
MOST_SAMPLES = 1000  # a consensus needs the pairs of samples
CHOICE_COLUMNS = ("choice", "score", "loss", "points")


def choices(db: Database, board: Board) -> pd.DataFrame:
    """One row per way to choose, columns CHOICE_COLUMNS, the smallest loss first.

    score, loss : the first metric of what is chosen, and by how much the best method by labels is better, in points:
    means over data sets of means over conditions and repeats. The ways are pickers (`mvarena list pickers`), which see
    the labellings of all methods, and the method that is first on all other corpora. Data of more than MOST_SAMPLES
    samples are left out.
    """
    kept = board.data.reported.kept
    small = {content for content, n in board.samples.items() if n <= MOST_SAMPLES}
    taking_part = kept["content"].isin(small) & kept["contestant"].isin(board.standings.contestants)
    keys = set(kept.loc[taking_part & (kept["status"] == "DONE"), "key"])
    trials = [trial for trial in done_trials(db) if trial.key in keys]
    picked = picks_among(db, [MAIN], trials, pickers=PICKERS, across=True)
    if picked.empty:
        return pd.DataFrame(columns=list(CHOICE_COLUMNS))
    summary = picking_summary(picked[picked["algorithm"] == ALL_METHODS])
    rows = [(row.picker, 100 * row.score, 100 * row.regret, int(row.n_answered)) for row in summary.itertuples()]
    sets = set(picked["dataset"])
    if board.standings.n_corpora > 1:
        rows.append(_first_elsewhere(board, sets))
    table = pd.DataFrame(rows, columns=list(CHOICE_COLUMNS))
    return table.sort_values("loss", kind="stable").reset_index(drop=True)


def _first_elsewhere(board: Board, datasets: set[str]) -> tuple[str, float, float, int]:
    """The method of best mean rank on all corpora but the one of the data."""
    table: Standings = board.standings
    rows = board.competing[(board.competing["metric"] == MAIN) & board.competing["dataset"].isin(datasets)]
    scores, losses, points = [], [], 0
    for corpus, names in table.datasets.items():
        first = table.ranks.drop(index=corpus).mean().sort_index().idxmin()
        for name in names:
            part = rows[rows["dataset"] == name]
            of_conditions = part.pivot_table(index=["corruption", "rate"], columns="contestant", values="mean")
            if first in of_conditions:
                known = of_conditions.dropna(subset=[first])
                scores.append(float(known[first].mean()))
                losses.append(float((known.max(axis=1) - known[first]).mean()))
                points += len(known)
    if not points:
        return "the first on other corpora", float("nan"), float("nan"), 0
    return "the first on other corpora", 100 * sum(scores) / len(scores), 100 * sum(losses) / len(losses), points
