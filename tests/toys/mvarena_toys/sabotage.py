"""Deeds against the worker's own tools, and such as come to light only after their trial has ended."""

from __future__ import annotations

import faulthandler
import os
import resource
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from mvarena.contracts.algorithm import Representation
from mvarena_toys.deeds import deed, note


@deed("DONE")
def replaces_os_write(_: Any) -> None:
    os.write = lambda *_: 0  # type: ignore[assignment]


@deed("DONE")
def replaces_a_method_of_kmeans(_: Any) -> None:
    from sklearn.cluster import KMeans

    before = KMeans.fit

    def fit(self: Any, matrix: Any, *rest: Any, **more: Any) -> Any:
        return before(self, matrix * 0.0 + np.arange(len(matrix))[:, None] % 2, *rest, **more)

    KMeans.fit = fit


@deed("DONE", long=True)
def sets_an_alarm_that_python_does_not_show(_: Any) -> None:
    faulthandler.dump_traceback_later(0.3, exit=True)


@deed("DONE")
def leaves_a_cycle_that_ends_the_process(_: Any) -> None:
    class Mine:
        def __del__(self) -> None:
            os._exit(3)

    mine = Mine()
    mine.itself = mine  # type: ignore[attr-defined]


@deed("DONE")
def goes_on_in_a_child_as_well(_: Any) -> None:
    if (child := os.fork()) != 0:
        note(child)


class _Forking:
    def __init__(self, labels: Any) -> None:
        self._labels = labels

    def __array__(self, *_: Any, **__: Any) -> Any:
        goes_on_in_a_child_as_well(None)
        return self._labels


@deed("DONE", long=True)
def forks_when_its_labels_are_looked_at(data: Any) -> Any:
    return Representation(labels=_Forking(np.arange(data.n_samples) % 3))


@deed("FAILED", "masked")
def masks_some_labels(data: Any) -> Any:
    labels = np.arange(data.n_samples) % 3
    return Representation(labels=np.ma.masked_equal(labels, 2))


@deed("FAILED", "their shape is ()", long=True)
def labels_without_end(_: Any) -> Any:
    return Representation(labels=iter(int, 1))


class _Nameless(type):
    @property
    def __name__(cls) -> str:  # type: ignore[override]
        raise SystemExit("no name")


class _Unspeakable(BaseException, metaclass=_Nameless):
    def __str__(self) -> str:
        raise _Unspeakable

    __repr__ = __str__


@deed("FAILED", long=True)
def raises_what_has_no_name(_: Any) -> None:
    raise _Unspeakable


@deed("DONE")
def leaves_temporary_files(_: Any) -> None:
    folder = Path(tempfile.mkdtemp())
    (folder / "locked").mkdir()
    (folder / "locked" / "large").write_bytes(bytes(2**20))
    (folder / "locked").chmod(0)
    if place := os.environ.get("MVARENA_TOYS_NOTES"):
        Path(f"{place}.folder").write_text(str(folder))


@deed("DONE", long=True)
def opens_no_file_any_more(_: Any) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


@deed("DONE", long=True)
def writes_no_file_any_more(_: Any) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


class _Stream:
    closed = False

    def write(self, _: str) -> int:
        raise KeyboardInterrupt

    def flush(self) -> None:
        raise KeyboardInterrupt


@deed("DONE", long=True)
def prints_to_what_presses_ctrl_c(_: Any) -> None:
    sys.stdout = sys.stderr = _Stream()  # type: ignore[assignment]
