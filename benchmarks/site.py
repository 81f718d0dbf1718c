"""What the site of a large database costs: seconds to write it, and its size."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.harness import case
from benchmarks.reports import write_study
from benchmarks.watch import MIB, Watch


@case(
    "site", group="report", grid={"trials": [100_000]}, quick={"trials": [2_000]}, measures=("wall", "CPU", "MiB"),
    version="2",
)  # fmt: skip
def site(watch: Watch, trials: int) -> dict[str, float]:
    """The site of 40 methods on 25 data sets at six rates."""
    from mvarena.site.build import write_site
    from mvarena.store.database import open_database

    with tempfile.TemporaryDirectory() as folder:
        write_study(Path(folder) / "results.db", trials, methods=40, datasets=25)
        with open_database(Path(folder) / "results.db", readonly=True) as database, watch("write the site"):
            write_site(database, Path(folder) / "site")
        written = [path for path in (Path(folder) / "site").rglob("*") if path.is_file()]
        code = sum(path.stat().st_size for path in written if "data" not in path.parts)
        return {"site, MiB": sum(path.stat().st_size for path in written) / MIB, "of it code, MiB": code / MIB}
