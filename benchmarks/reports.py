"""What a report costs: a database of many trials read, its tables and figures made."""

from __future__ import annotations

import hashlib
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


def write_study(path: Path, trials: int, *, methods: int = 35, datasets: int = 24, restarts: int = 2) -> None:
    """A database of so many finished trials: methods by data sets by six rates, and as many repeats as it takes.

    Scores are drawn, the labels are the classes of 200 samples; one method times out on one data set.
    """
    from mvarena.registry.catalog import installed_catalog
    from mvarena.store import schema
    from mvarena.store.database import open_database
    from mvarena.store.encoding import canonical_json, pack_floats, pack_labels

    rng = np.random.default_rng(0)
    names = installed_catalog().names("algorithm")[:methods]
    skill, ease = 0.1 * rng.standard_normal(len(names)), 0.3 * rng.random(datasets)
    repeats = -(-trials // (len(names) * datasets * len(_RATES)))
    rows: dict[str, list[dict[str, Any]]] = {
        table: [] for table in ("trials", "names", "attempts", "labellings", "scores")
    }
    objective, labels = pack_floats(tuple(1.0 / np.arange(1, 31))), pack_labels(rng.integers(0, 6, 200))
    points = product(range(repeats), range(datasets), _RATES, range(len(names)))
    for number, (repeat, dataset, rate, method) in zip(range(1, trials + 1), points, strict=False):
        lost = (dataset, method) == (0, 0)
        content, n = f"content-{dataset}", 100 * 2 ** (dataset % 8)
        corruption = [["missing-even", "1", rate]]
        identity = {"algorithm": [names[method], "1"], "content": content, "corruptions": corruption, "prepare": []}
        key = hashlib.sha256(f"{number}".encode()).hexdigest()
        rows["trials"].append({
            "key": key, "identity": canonical_json(identity | {"seed": [0, repeat]}), "algorithm": names[method],
            "algorithm_version": "1", "params": "{}", "content": content, "corruption": "missing-even", "rate": rate,
            "prepare": "scale-auto", "pick": "lowest-inertia", "seed": 0, "repeat": repeat,
        })  # fmt: skip
        rows["names"].append({"key": key, "dataset": f"data-{dataset:02d}", "protocol": "fair"})
        fit_s = 1e-3 * (1 + method % 7) * (n / 100) ** (1 + method % 3)
        rows["attempts"].append({
            "id": number, "key": key, "number": 1, "status": "TIMEOUT" if lost else "DONE", "reason": "",
            "traceback": "", "stderr_tail": "", "started_at": _MOMENT, "wall_s": fit_s, "cpu_s": fit_s,
            "fit_s": fit_s, "n_iter": 30,
            "peak_rss_mb": 100 + n / 50, "converged": True, "stopped_because": "", "objective": objective,
            "achieved": json.dumps({"samples_by_missing_views": [n], "views": {}, "incomplete": rate}),
            "source_hash": "0", "environment_id": "e", "truth_id": None if lost else "t",
        })  # fmt: skip
        if lost:
            continue
        value = float(
            np.clip(0.5 + ease[dataset] + skill[method] - 0.3 * rate + 0.03 * rng.standard_normal(), 0.01, 0.99)
        )
        for restart in range(restarts):
            rows["labellings"].append(
                {"attempt_id": number, "restart": restart, "labels": labels, "inertia": 1.0 + restart}
            )
            for metric, lower in (("acc", 0.0), ("nmi", 0.05)):
                score = {"metric": metric, "metric_version": "1", "value": max(0.0, value - lower)}
                rows["scores"].append({"attempt_id": number, "restart": restart} | score)
    with open_database(path) as db, db.engine.begin() as connection:
        connection.execute(schema.environments.insert(), [{"id": "e", "json": "{}"}])
        connection.execute(schema.truths.insert(), [{"id": "t", "n_samples": 200, "labels": labels}])
        for table, found in rows.items():
            connection.execute(getattr(schema, table).insert(), found)


@case(
    "report", group="framework", grid={"trials": [10_000, 100_000]}, quick={"trials": [2_000]}, over="trials",
    measures=("wall", "MiB"), version="2",
)  # fmt: skip
def report(watch: Watch, trials: int, restarts: int = 2) -> dict[str, float]:
    """A report of 35 methods on 24 data sets at six rates: the rows read, all tables, all figures with their files."""
    from mvarena.report.data import ReportData
    from mvarena.report.write import write_report
    from mvarena.store.database import open_database

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.db"
        write_study(path, trials, restarts=restarts)
        with watch("read"), open_database(path, readonly=True) as db:
            results = ReportData.from_database(db)
        with watch("summary and tests"):
            results.summary, results.values, results.over_rates, results.worse, results.standings  # noqa: B018
        with watch("tables"):
            tables = write_report(results, Path(folder) / "tables", figures=())
        with watch("figures"):
            figures = write_report(results, Path(folder) / "figures", tables=())
        size = sum(one.stat().st_size for one in (*tables, *figures)) / 2**20
    return {"files": len(tables) + len(figures), "MiB written": size}
