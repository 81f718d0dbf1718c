"""What the tests of reports share: summaries of small synthetic results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from mvarena.analysis.aggregates import summarize
from mvarena.report.tables import Table, build_tables

DIRECTIONS = {"acc": True, "nmi": True, "error": False}
WORDS: dict[str, Any] = {
    "rate_meanings": {"missing-even": "the fraction of samples that lose a view"},
    "dataset_notes": {"digits": "2,000 samples, views fou and fac"},
}


@pytest.fixture(scope="session")
def summary_of() -> Callable[..., pd.DataFrame]:
    """`summarize` with the directions of acc, nmi and error."""

    def build(builder: Any, **options: Any) -> pd.DataFrame:
        return summarize(builder.frame(), directions=DIRECTIONS, **options)

    return build


@pytest.fixture(scope="session")
def tables_of(summary_of: Callable[..., pd.DataFrame]) -> Callable[..., list[Table]]:
    """`build_tables` of a frame's summary, with words for its caption."""

    def build(builder: Any, **options: Any) -> list[Table]:
        return build_tables(summary_of(builder), directions=DIRECTIONS, **{**WORDS, **options})

    return build


@pytest.fixture(scope="session")
def study(new_long_frame: Any) -> Any:
    """Synthetic: two metrics at three rates; concat times out at 0.5, pvc is skipped, bsv-kmeans has two views."""
    builder = new_long_frame()
    draw = np.random.default_rng(0)
    for rate in (0.1, 0.3, 0.5):
        for trial in range(2):
            at = {"rate": rate, "trial": trial}
            for place, name in enumerate(("apmc", "concat")):
                if (name, rate) == ("concat", 0.5):
                    builder.trial(name, None, status="TIMEOUT", reason="exceeded 600 s", **at)
                    continue
                values = {m: list(0.9 - rate - 0.1 * place + 0.02 * draw.normal(size=3)) for m in ("acc", "nmi")}
                builder.trial(name, values, **at)
            builder.trial("pvc", None, status="SKIPPED", reason="pvc takes two views.", **at)
            for view, score in (("fou", 0.4), ("fac", 0.3)):
                values = {m: list(score + 0.02 * draw.normal(size=3)) for m in ("acc", "nmi")}
                builder.trial("bsv-kmeans", values, params={"view": view}, picks_by_labels="view", **at)
    return builder
