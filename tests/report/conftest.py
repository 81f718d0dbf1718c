"""What the tests of reports share: summaries of small synthetic results."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from mvarena.analysis.summary import metrics_in
from mvarena.contracts.specs import CorruptionSpec, Look, MetricSpec
from mvarena.report.context import Context
from mvarena.report.data import ReportData
from mvarena.report.tables.model import Table
from mvarena.report.tables.results import tables
from mvarena.store.cards import Cards
from mvarena.study.cards import DatasetCard, MethodCard

_LOOKS = {
    "apmc": Look("blue", "o", "solid"),
    "concat": Look("sky", "X", "dashdot"),
    "bsv-kmeans": Look("black", "v", "dotted"),
    "mic": Look("vermilion", "s", "solid"),
}


def _said(name: str, **settings: Any) -> dict[str, Any]:
    return {"name": name, "target": "somewhere:something", "summary": f"what {name} is", **settings}


@pytest.fixture(scope="session")
def context() -> Context:
    """Components with and without labels, looks, directions and bounds of every kind."""
    metrics = (
        MetricSpec(**_said("acc", label="ACC")),
        MetricSpec(**_said("nmi", label="NMI")),
        MetricSpec(**_said("acc-best-epoch", label="ACC, best epoch*", needs="checkpoints")),
        MetricSpec(**_said("error", higher_is_better=False)),
        MetricSpec(**_said("spread", label="Spread", lowest=0.0, highest=math.inf)),
    )
    corruptions = (
        CorruptionSpec(
            **_said("missing-even", makes_missing=True, formula="r"),
            rate_means="the fraction of samples that lose a view.",
        ),
        CorruptionSpec(**_said("gaussian", label="Gaussian", rate_kind="snr", formula="s"), rate_means="a ratio"),
    )
    return Context(
        cards=Cards(
            {name: MethodCard(name=name, look=look) for name, look in _LOOKS.items()}
            | {"labelled": MethodCard(name="labelled", label="A Labelled One")}
            | {name: MethodCard(name=name, family="control") for name in ("one-cluster", "random")},
            {
                "toy": DatasetCard(name="toy", label="Toy Data"),
                "digits": DatasetCard(name="digits", summary="2,000 samples, views fou and fac"),
            },
        ),
        metrics={spec.name: spec for spec in metrics},
        corruptions={spec.name: spec for spec in corruptions},
    )


@pytest.fixture(scope="session")
def results_of(context: Context) -> Callable[..., ReportData]:
    """`ReportData` of a builder's frame, by default of all metrics in it."""

    def build(builder: Any, **options: Any) -> ReportData:
        frame = builder.frame()
        options = {"context": context, **options}
        frame = frame if "shown" in frame else frame.assign(shown=True)
        return ReportData(scores=frame, **{"metrics": metrics_in(frame), **options})

    return build


@pytest.fixture(scope="session")
def summary_of(results_of: Callable[..., ReportData]) -> Callable[..., pd.DataFrame]:
    """The summary of a builder's frame."""
    return lambda builder, **options: results_of(builder, **options).summary


@pytest.fixture(scope="session")
def tables_of(results_of: Callable[..., ReportData]) -> Callable[..., list[Table]]:
    """The tables of a builder's frame."""

    return lambda builder, **options: tables(results_of(builder, **options))


@pytest.fixture(scope="session")
def study(new_long_frame: Any) -> Any:
    """Synthetic: two metrics at three rates; concat times out at 0.5, pvc is skipped, bsv-kmeans has two views."""
    builder = new_long_frame()
    draw = np.random.default_rng(0)
    for rate in (0.1, 0.3, 0.5):
        for trial in range(2):
            at = {"rate": rate, "repeat": trial}
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
