"""A bundle of many trials: written, verified by running a sample again, and taken in."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.harness import case
from benchmarks.watch import Watch

_CONDITIONS = 10
_STUDY = """\
data = {data}
corrupt = ["missing-even", "missing-unbalanced"]
rates = "0.1:0.5:0.1"
repeats = {repeats}
restarts = 10
"""


@case(
    "bundle", group="framework", measures=("wall", "CPU", "MiB"),
    grid={"data": ["synthetic3d,synthetic-apmc"], "trials": [1000], "sample": [20]},
    quick={"data": ["synthetic-apmc"], "trials": [50], "sample": [5]},
)  # fmt: skip
def bundle(watch: Watch, data: str, trials: int, sample: int, method: str = "concat") -> dict[str, Any]:
    """A bundle of so many trials: written, verified with a sample run again, taken in."""
    from mvarena.bundles.expected import blocks_for
    from mvarena.bundles.pull import pull
    from mvarena.bundles.submit import submit
    from mvarena.bundles.verify import verify
    from mvarena.engine.execute import execute
    from mvarena.registry.catalog import installed_catalog
    from mvarena.store.database import open_database
    from mvarena.store.write_outcomes import record
    from mvarena.study.file import study_at
    from mvarena.study.plan import plan_blocks
    from mvarena.study.request import Asked

    catalog = installed_catalog()
    with TemporaryDirectory() as name:
        folder = Path(name)
        study, results = folder / "many.toml", folder / "results.db"
        names = data.split(",")
        study.write_text(_STUDY.format(data=names, repeats=trials // (_CONDITIONS * len(names))))
        with watch("run"), open_database(results) as db:
            for trial in plan_blocks(blocks_for(study_at(study), method, catalog), catalog).trials:
                record(db, trial, execute(trial, catalog))
        with open_database(results) as db, watch("submit"):
            where, written = submit(db, str(study), method, folder, catalog)
        with watch("verify"):
            found = verify(where, catalog, sample=sample, seed=0, study=str(study))
        with open_database(folder / "other.db") as other, watch("pull"):
            done = pull(other, found, "", Asked("benchmark"), catalog)
        size = sum(path.stat().st_size for path in where.rglob("*") if path.is_file()) / 1e6
    statuses = Counter(entry.status for entry in written.entries)
    return {"trials": done.added, "run again": found.rerun, "MB": size} | dict(statuses)
