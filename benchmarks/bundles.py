"""A bundle of many trials: written, verified by running a sample again, and taken in."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.harness import case
from benchmarks.watch import Watch

_STUDY = """\
data = {data}
corrupt = ["missing-even", "missing-unbalanced"]
rates = "0.1:0.5:0.1"
repeats = 20
restarts = 20
"""


@case(
    "bundle", group="framework", measures=("wall", "CPU", "MiB"),
    grid={"data": ["synthetic3d,synthetic-apmc,synthetic-emvc,digits,newsgroups"], "sample": [20]},
    quick={"data": ["synthetic-apmc"], "sample": [5]},
)  # fmt: skip
def bundle(watch: Watch, data: str, sample: int, method: str = "concat") -> dict[str, Any]:
    """A bundle of 200 trials for each data set: run, written, verified with a sample run again, taken in."""
    from mvarena.bundles.planned import blocks_for
    from mvarena.bundles.pulling import pull
    from mvarena.bundles.submitting import submit
    from mvarena.bundles.verifying import verify
    from mvarena.registry.catalog import installed_catalog
    from mvarena.running import run_blocks
    from mvarena.store.database import open_database
    from mvarena.study.options import RunOptions
    from mvarena.study.request import Asked
    from mvarena.study.shipped import study_at

    catalog = installed_catalog()
    with TemporaryDirectory() as name:
        folder = Path(name)
        study, results = folder / "many.toml", folder / "results.db"
        study.write_text(_STUDY.format(data=[*data.split(",")]))
        with watch("run"):
            run_blocks(blocks_for(study_at(study), method, catalog), RunOptions(db=str(results)))
        with open_database(results) as db, watch("submit"):
            where, written = submit(db, str(study), method, folder, catalog)
        with watch("verify"):
            found = verify(where, catalog, sample=sample, seed=0, study=str(study))
        with open_database(folder / "other.db") as other, watch("pull"):
            done = pull(other, found, "", Asked("benchmark"), catalog)
        size = sum(path.stat().st_size for path in where.rglob("*") if path.is_file()) / 1e6
    statuses = Counter(entry.status for entry in written.entries)
    return {"trials": done.added, "run again": found.rerun, "MB": size} | dict(statuses)
