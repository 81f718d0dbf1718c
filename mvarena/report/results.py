"""Results: one set of scores with everything that is shown of it, each computed once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from mvarena.analysis.aggregates import summarize
from mvarena.contracts.look import Look
from mvarena.errors import MvarenaError
from mvarena.report.context import Context
from mvarena.report.curves import curves
from mvarena.report.style import looks
from mvarena.report.tables import Table
from mvarena.report.tabulation import tabulate_summary


@dataclass(frozen=True, eq=False, kw_only=True)
class Results:
    """What tables, figures and the terminal are made of.

    scores : the long form (`mvarena.store.frames`), one row per trial x restart x metric.
    context : what the components say of themselves.
    metrics : which are shown, in order; None: all in the scores.
    every_variant : shows each value of a parameter that is picked by labels, not the best alone.

    Raises MvarenaError if there are no scores to show.
    """

    scores: pd.DataFrame
    context: Context
    metrics: Sequence[str] | None = None
    every_variant: bool = False

    def __post_init__(self) -> None:
        if self.scores.empty:
            raise MvarenaError(
                "there are no results to report; run a study first, or name other data sets and algorithms."
            )

    @cached_property
    def summary(self) -> pd.DataFrame:
        """One row per point, contestant and metric (`mvarena.analysis.aggregates.summarize`)."""
        return summarize(
            self.scores, self.metrics, directions=self.context.directions, every_variant=self.every_variant
        )

    @cached_property
    def tables(self) -> list[Table]:
        """Per data set and corruption one table for each metric, or a single one at a single rate."""
        return tabulate_summary(self.summary, self.context)

    @cached_property
    def curves(self) -> pd.DataFrame:
        """The points of every line of a metric against its rate (`mvarena.report.curves.curves`)."""
        return curves(self.summary, self.context)

    @cached_property
    def looks(self) -> dict[str, Look]:
        """Contestant -> its look, the same in every figure."""
        return looks(self.curves["contestant"].unique(), self.context.looks)
