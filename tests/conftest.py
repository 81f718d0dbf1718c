"""What tests share: hypothesis without deadlines, a private cache, real data where at hand, frames of results."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import settings

from mvarena.contracts.protocol import counted_value

# a check of a change draws the same examples each time, so that it judges the change; elsewhere they are drawn anew
settings.register_profile("mvarena", deadline=None, max_examples=25, derandomize="CI" in os.environ)
settings.load_profile("mvarena")


def pytest_addoption(parser: pytest.Parser) -> None:
    skips = parser.getgroup("tests that were skipped")
    skips.addoption("--write-skipped", metavar="FILE", help="add the names of the skipped tests to a file")
    skips.addoption("--only-skipped", metavar="FILE", help="run the tests named in such a file")


def pytest_configure(config: pytest.Config) -> None:
    path = config.getoption("--write-skipped")
    if path and not hasattr(config, "workerinput"):  # the process that hears of all tests
        config.pluginmanager.register(SkippedTests(Path(path)))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    path = config.getoption("--only-skipped")
    if path:
        names = set(Path(path).read_text("utf-8").splitlines())
        kept = [item for item in items if item.nodeid in names]
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept


class SkippedTests:
    """Writes the names of the tests that were skipped, one a line, when the session ends."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.names: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped and not hasattr(report, "wasxfail"):
            self.names.append(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.writelines(f"{name}\n" for name in sorted(self.names))


DIRECTIONS = {"acc": True, "nmi": True, "error": False, "entropy": False}


class LongFrame:
    """Builds frames in the store's long form, trial by trial."""

    def __init__(self) -> None:
        self.heads: list[dict[str, Any]] = []
        self.scores: list[tuple[Any, ...]] = []
        self._keys = 0

    def trial(
        self,
        algorithm: str = "apmc",
        values: dict[str, list[float]] | None = None,
        *,
        params: dict[str, Any] | None = None,
        inertia: list[float] | None = None,
        **columns: Any,
    ) -> LongFrame:
        """Add one trial; `values` is metric -> value per restart, None for a trial that did not finish.

        As in a database, the value counts that the trial's pick counts.
        """
        self._keys += 1
        shared: dict[str, Any] = {
            "key": f"{self._keys:064d}", "algorithm": algorithm, "algorithm_version": "1",
            "params": json.dumps(params or {}, sort_keys=True), "dataset": "digits", "corruption": "missing-even",
            "rate": 0.3, "prepare": "minmax", "protocol": "fair", "repeat": 0, "status": "DONE", "wall_s": 1.0,
            "cpu_s": 1.0, "peak_rss_mb": 100.0, "seed": 0, "pick": "mean", "picks_by_labels": None, "attempt": 1,
            "kind": "images",
            "fit_s": 0.5, "reason": "", "source_hash": "0", "content": "c0ffee", "steps": "missing-even 1,minmax 1",
            "started_at": "2026-01-31T12:00:00.000000+00:00",
            "speed": 1.0,
        } | columns  # fmt: skip
        shared = {"corpus": shared["dataset"], **_of_preparation(shared["prepare"])} | shared
        shared |= {"attempt_id": self._keys, "n_labels": columns.get("n_labels", pd.NA)}
        self.heads.append({"restarts": max(map(len, (values or {"": [0.0]}).values()))} | shared)
        for metric, scores in (values or {}).items():
            counted = counted_value(
                shared["pick"], scores, inertia or [0.0] * len(scores), DIRECTIONS.get(metric, True)
            )
            self.scores.append((self._keys, metric, *counted))
        return self

    def frame(self) -> pd.DataFrame:
        """All rows, with the columns and types that the store gives; needs the store only when it is asked for."""
        from mvarena.store.frames import COLUMNS, long_form
        from mvarena.store.label_choices import with_label_choices

        if not self.heads:
            return long_form(pd.DataFrame(columns=list(COLUMNS)))
        scores = pd.DataFrame(self.scores, columns=["attempt_id", "metric", "value", "spread"])
        heads, scores = with_label_choices(pd.DataFrame(self.heads), scores, DIRECTIONS)
        heads = heads.sort_values("attempt_id", kind="stable")
        return long_form(heads.merge(scores, on="attempt_id", how="left").fillna({"choice": ""}))


def _of_preparation(prepare: str) -> dict[str, str]:
    from mvarena.study.adaptation import filling_in, scaling_in

    return {"scaling": scaling_in(prepare), "filling": filling_in(prepare)}


@pytest.fixture(scope="session")
def new_long_frame() -> type[LongFrame]:
    """Makes an empty frame per call, for tests that need one for each example."""
    return LongFrame


@pytest.fixture
def long_frame() -> LongFrame:
    """An empty frame in the store's long form, to be filled trial by trial."""
    return LongFrame()


@pytest.fixture(autouse=True, scope="session")
def private_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Point the user's cache to a temporary folder: no test reads or writes the real one.

    The width of the terminal that runs the tests, which processes of pytest-xdist are told, does not count either.
    """
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MVARENA_CACHE", str(folder))
        patch.delenv("COLUMNS", raising=False)
        yield folder


@pytest.fixture
def ctrl_c_works() -> Iterator[None]:
    """Have Ctrl-C interrupt; a test suite that was started in the background has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def kept_workers() -> Iterator[None]:
    """Have the worker of a run go on to the next of the module; for tests of anything but workers."""
    from kept_workers import KeptWorkers

    workers = KeptWorkers()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mvarena.running.LocalEngine", workers)
        try:
            yield
        finally:
            workers.close()


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of the publishers' files, from MVARENA_DATA; the test is skipped where it is not set."""
    chosen = os.environ.get("MVARENA_DATA")
    if not chosen:
        pytest.skip("MVARENA_DATA is not set: the publishers' files are not at hand")
    return Path(chosen.split(os.pathsep)[0])


@pytest.fixture(scope="session")
def verified_npz(real_data: Path) -> Path:
    """The folder of independently verified numbers beside the publishers' files."""
    folder = real_data.parent / "npz"
    if not folder.is_dir():
        pytest.skip(f"there are no verified numbers in a folder npz beside {real_data.name}")
    return folder
