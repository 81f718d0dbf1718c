"""Deeds that come to light only after the algorithm has ended."""

from __future__ import annotations

import faulthandler
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from mvarena.contracts.algorithm import Representation
from mvarena_toys.deeds import deed, note


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


@deed("DONE")
def leaves_temporary_files(_: Any) -> None:
    folder = Path(tempfile.mkdtemp())
    (folder / "locked").mkdir()
    (folder / "locked" / "large").write_bytes(bytes(2**20))
    (folder / "locked").chmod(0)
    if place := os.environ.get("MVARENA_TOYS_NOTES"):
        Path(f"{place}.folder").write_text(str(folder))


class _Stream:
    closed = False

    def write(self, _: str) -> int:
        raise KeyboardInterrupt

    def flush(self) -> None:
        raise KeyboardInterrupt


@deed("DONE", long=True)
def prints_to_what_presses_ctrl_c(_: Any) -> None:
    sys.stdout = sys.stderr = _Stream()  # type: ignore[assignment]
