"""What the site of a large database costs: seconds to write it, and its size."""

from __future__ import annotations

import json
import tempfile
from datetime import UTC, datetime
from itertools import islice, product
from pathlib import Path
from typing import Any

from benchmarks.harness import case
from benchmarks.watch import MIB, Watch

_METRICS = ("acc", "ari", "nmi")
_ALGORITHMS, _DATASETS, _REPEATS = 40, 25, 10
_BATCH = 10_000


@case("site", group="report", grid={"trials": [100_000]}, quick={"trials": [2_000]}, measures=("wall", "CPU", "MiB"))
def site(watch: Watch, trials: int, restarts: int = 1) -> dict[str, float]:
    """The site of 40 methods on 25 data sets at ten rates, 10 repeats each; every 50th trial failed."""
    from mvarena.registry.catalog import installed_catalog
    from mvarena.site.build import write_site
    from mvarena.store.database import open_database

    catalog = installed_catalog()
    with tempfile.TemporaryDirectory() as folder:
        fill(Path(folder) / "results.db", trials, restarts)
        with open_database(Path(folder) / "results.db", readonly=True) as database, watch("write the site"):
            write_site(database, Path(folder) / "site", catalog)
        written = [path for path in (Path(folder) / "site").rglob("*") if path.is_file()]
        code = sum(path.stat().st_size for path in written if "data" not in path.parts)
        return {"site, MiB": sum(path.stat().st_size for path in written) / MIB, "of it code, MiB": code / MIB}


def fill(path: Path, trials: int, restarts: int = 1) -> None:
    """A database of so many drawn trials, written as the store writes them, but in large transactions."""
    import numpy as np

    from mvarena.store import schema
    from mvarena.store.database import open_database
    from mvarena.store.encoding import pack_floats, pack_labels

    rng = np.random.default_rng(0)
    truth = rng.integers(0, 6, 200)
    blobs = [pack_labels(np.where(rng.random(200) < share, truth, rng.integers(0, 6, 200))) for share in (0.3, 0.9)]
    objective = pack_floats(np.geomspace(1.0, 0.1, 30))
    rows = _trials(trials)
    with open_database(path) as database:
        with database.write() as connection:
            connection.execute(schema.environments.insert().values(id="e", json='{"python":"3.12.1","machine":"x"}'))
            connection.execute(schema.truths.insert().values(id="t", n_samples=200, labels=pack_labels(truth)))
        start = 0
        while batch := list(islice(rows, _BATCH)):
            values = rng.random((len(batch), restarts, len(_METRICS)))
            with database.write() as connection:
                _insert(connection, start, batch, values, blobs, objective)
            start += len(batch)


def _trials(count: int) -> Any:
    """(key, algorithm, data set, rate, repeat), no two alike; the methods of one condition follow each other."""
    rates = [round(0.05 * step, 2) for step in range(1, 1 + -(-count // (_ALGORITHMS * _DATASETS * _REPEATS)))]
    grid = product(rates, range(_REPEATS), range(_DATASETS), range(_ALGORITHMS))
    for number, (rate, repeat, dataset, algorithm) in enumerate(islice(grid, count)):
        yield f"{number:016x}{'0' * 48}", f"method-{algorithm:02d}", f"data-{dataset:02d}", rate, repeat


def _insert(connection: Any, start: int, batch: list[Any], values: Any, blobs: list[bytes], objective: bytes) -> None:
    from mvarena.store import schema

    now, settings = datetime.now(UTC), '{"pick":"lowest-inertia","restarts":1,"unit_rows":false}'
    achieved = json.dumps({"incomplete": 0.1, "samples_by_missing_views": [180, 20], "views": {
        name: {"missing": 0.1, "changed_rows": 0.0, "snr": None} for name in ("first", "second")}})  # fmt: skip
    of_trials, of_names, of_attempts, labels, scores = [], [], [], [], []
    for place, (key, algorithm, dataset, rate, repeat) in enumerate(batch):
        number = start + place
        failed = number % 50 == 49
        identity = (
            f'{{"algorithm":["{algorithm}","1"],"content":"{dataset}","corruptions":[["missing-even","1",{rate}]],'
            f'"key_schema":1,"params":{{"n_clusters":null}},"prepare":[["scale-auto","1"]],"protocol":{settings},'
            f'"seed":[0,{repeat}]}}'
        )
        of_trials.append({
            "key": key, "identity": identity, "algorithm": algorithm, "algorithm_version": "1", "rate": rate,
            "params": '{"n_clusters":null}', "content": dataset, "corruption": "missing-even", "repeat": repeat,
            "prepare": "scale-auto", "pick": "lowest-inertia", "seed": 0,
        })  # fmt: skip
        of_names.append({"key": key, "dataset": dataset, "protocol": "fair"})
        of_attempts.append({
            "id": number + 1, "key": key, "number": 1, "status": "TIMEOUT" if failed else "DONE", "started_at": now,
            "reason": "exceeded 600 s" if failed else "", "traceback": "", "stderr_tail": "", "wall_s": 1.25,
            "cpu_s": 1.0, "fit_s": 0.1 + float(values[place, 0, 0]), "peak_rss_mb": 120.0, "n_iter": 30,
            "converged": True, "stopped_because": "the objective changed by less than tol",
            "objective": b"" if failed else objective, "achieved": "{}" if failed else achieved, "source_hash": "h",
            "environment_id": "e", "truth_id": None if failed else "t",
        })  # fmt: skip
        if not failed:
            attempt = {"attempt_id": number + 1}
            for restart, found in enumerate(values[place]):
                labels.append(attempt | {"restart": restart, "labels": blobs[number % 2], "inertia": float(found[0])})
                scores += [
                    attempt | {"restart": restart, "metric": metric, "metric_version": "1", "value": float(value)}
                    for metric, value in zip(_METRICS, found, strict=True)
                ]
    for table, rows in (
        (schema.trials, of_trials), (schema.names, of_names), (schema.attempts, of_attempts),
        (schema.labellings, labels), (schema.scores, scores),
    ):  # fmt: skip
        connection.execute(table.insert(), rows)
