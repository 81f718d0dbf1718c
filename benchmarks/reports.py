"""What a report costs: a database of many trials read, its tables and figures made."""

from __future__ import annotations

import json
import tempfile
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import case
from benchmarks.watch import Watch

_RATES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9)
_MOMENT = datetime(2025, 1, 1, tzinfo=UTC)


def write_study(path: Path, trials: int, *, methods: int = 35, datasets: int = 24) -> None:
    """A database of so many finished trials: methods by data sets by six rates, and as many repeats as it takes.

    Scores are drawn, the labels are the classes of 200 samples; one method times out on one data set.
    """
    from mvarena.contracts.source import Source
    from mvarena.contracts.trial import Step, Trial
    from mvarena.registry.catalog import installed_catalog
    from mvarena.store import schema
    from mvarena.store.cards import describe_components
    from mvarena.store.database import open_database
    from mvarena.store.encoding import pack_floats, pack_labels
    from mvarena.store.numbering import Numbers
    from mvarena.store.trials import register_within
    from mvarena.store.write_outcomes import truth_row
    from mvarena.study.protocols import PROTOCOLS

    rng = np.random.default_rng(0)
    names = installed_catalog().names("algorithm")[:methods]
    skill, ease = 0.1 * rng.standard_normal(len(names)), 0.3 * rng.random(datasets)
    repeats = -(-trials // (len(names) * datasets * len(_RATES)))
    classes = rng.integers(0, 6, 200)
    objective, labels = pack_floats(tuple(1.0 / np.arange(1, 31))), pack_labels(classes)
    points = list(product(range(repeats), range(datasets), _RATES, range(len(names))))[:trials]
    asked = [
        Trial(
            algorithm=names[method], algorithm_version="1", params={}, content=f"content-{dataset}",
            source=Source(dataset=f"data-{dataset:02d}"), corruptions=(Step("missing-even", "1", rate),),
            prepare=(Step("scale-auto", "1"),), protocol=PROTOCOLS["fair"], seed=0, repeat=repeat,
        ) for repeat, dataset, rate, method in points
    ]  # fmt: skip
    rows: dict[str, list[dict[str, Any]]] = {table: [] for table in ("attempts", "labellings", "scores")}
    with open_database(path) as db:
        with db.write() as connection:
            for start in range(0, len(asked), 5000):
                register_within(connection, asked[start : start + 5000])
            ids = {row.key: row.id for row in connection.execute(schema.trials.select())}
            numbers = Numbers(connection)
            environment, truth = numbers.of_environment("{}"), numbers.of(schema.truths, **truth_row(classes))
            metrics = {name: numbers.of(schema.metrics, name=name, version="1") for name in ("acc", "nmi")}
            for number, (trial, (_, dataset, rate, method)) in enumerate(zip(asked, points, strict=True), 1):
                lost, n = (dataset, method) == (0, 0), 100 * 2 ** (dataset % 8)
                fit_s = 1e-3 * (1 + method % 7) * (n / 100) ** (1 + method % 3)
                achieved = json.dumps({"samples_by_missing_views": [n], "views": {}, "incomplete": rate})
                rows["attempts"].append({
                    "id": number, "trial": ids[trial.key], "number": 1, "status": "TIMEOUT" if lost else "DONE",
                    "started_at": _MOMENT, "wall_s": fit_s, "cpu_s": fit_s, "fit_s": fit_s, "n_iter": 30,
                    "peak_rss_mb": 100 + n / 50, "converged": True, "objective": objective,
                    "achieved": numbers.of_text(achieved), "code": numbers.of_text("0"), "environment": environment,
                    "truth": None if lost else truth, "restart": None if lost else 0, "n_labels": None if lost else 6,
                })  # fmt: skip
                if lost:
                    continue
                drawn = 0.5 + ease[dataset] + skill[method] - 0.3 * rate + 0.03 * rng.standard_normal()
                value = float(np.clip(drawn, 0.01, 0.99))
                rows["labellings"].append({"attempt": number, "restart": 0, "labels": labels, "inertia": 1.0})
                for metric, lower in (("acc", 0.0), ("nmi", 0.05)):
                    score = {"attempt": number, "metric": metrics[metric], "value": max(0.0, value - lower)}
                    rows["scores"].append(score)
            for table, found in rows.items():
                connection.execute(getattr(schema, table).insert(), found)
        describe_components(db, asked[: len(names)], installed_catalog())


@case(
    "report", group="framework", grid={"trials": [10_000, 100_000]}, quick={"trials": [2_000]}, over="trials",
    measures=("wall", "MiB"), version="5",
)  # fmt: skip
def report(watch: Watch, trials: int) -> dict[str, float]:
    """A bare report of 35 methods on 24 data sets at six rates: the rows read, numbers, the page with its figures."""
    from mvarena.report.data import ReportData
    from mvarena.report.index import write_index
    from mvarena.store.database import open_database

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.db"
        write_study(path, trials)
        with watch("read"), open_database(path, readonly=True) as db:
            results = ReportData.from_database(db)
        with watch("summary and tests"):
            results.summary, results.values, results.place_tables  # noqa: B018
        with watch("page"):
            _, files = write_index(results, Path(folder) / "report", formats=("png",))
        size = sum(one.stat().st_size for one in files) / 2**20
    return {"files": len(files), "MiB written": size}
