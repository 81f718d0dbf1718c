"""Deeds against the worker's own tools, and such as come to light only after their trial has ended."""

from __future__ import annotations

import faulthandler
import gc
import json
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
def tells_secrets(_: Any) -> None:
    print(os.environ.get("TOY_API_TOKEN"), os.environ.get("PGPASSWORD"), os.environ.get("TOY_PLAIN"))
    print("it was a-token-of-mine, for postgresql://me:sesame@host/results")


@deed("FAILED", "no classes are to be found")
def looks_for_the_classes(data: Any) -> Any:
    frame, held = sys._getframe(), []
    while frame is not None:
        held += list(frame.f_locals.values())
        frame = frame.f_back
    gc.unfreeze()
    for item in [*held, *gc.get_objects()]:
        labels = [getattr(item, "labels", None), getattr(item, "truth", None)] if _may_hold(item) else []
        for array in labels:
            if isinstance(array, np.ndarray) and array.size == data.n_samples:
                return Representation(labels=array)
    raise LookupError("no classes are to be found")


@deed("FAILED", "no classes are to be found")
def looks_for_the_classes_in_memory(_: Any) -> Any:
    """In its own, and in that of every process that it may read: its ancestors, and others of its worker."""
    own, worker = os.getpid(), os.getppid()
    keeper = _parent(worker)
    others = [] if os.geteuid() == 0 else [_parent(keeper), *_children(worker)]  # root may read what is hidden
    for process in (own, worker, keeper, *others):
        if any(map(_holds_classes, _memory_of(process))):
            raise AssertionError("the classes are in the memory of a process that can be read")
    raise LookupError("no classes are to be found")


def _holds_classes(piece: bytes) -> bool:
    """Whether ten 0, ten 1 and ten 2 follow each other: the classes of toy-blobs, which are written nowhere here.

    Of 8 bytes each, as data hold them: shorter ones may be labels that the worker was sent."""
    numbers = np.frombuffer(piece[: len(piece) // 8 * 8], "<i8")
    found = np.flatnonzero(numbers[29:] == 2)
    for i in range(29):
        found = found[numbers[found + i] == i // 10]
    return bool(found.size)


def _memory_of(process: int) -> Any:
    """The memory of a process that can be written to, in pieces; none where it may not be read."""
    try:
        with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
            for line in maps:
                place, rights, *_ = line.split()
                first, last = (int(number, 16) for number in place.split("-"))
                for start in range(first, last, 1 << 22) if rights.startswith("rw") else ():
                    try:
                        memory.seek(start)
                        yield memory.read(min((1 << 22) + 232, last - start))
                    except OSError:
                        continue
    except (OSError, ValueError):
        return


def _parent(process: int) -> int:
    with open(f"/proc/{process}/stat", "rb") as file:
        return int(file.read().rpartition(b")")[2].split()[1])


def _children(process: int) -> list[int]:
    with open(f"/proc/{process}/task/{process}/children", "rb") as file:
        return [int(number) for number in file.read().split()]


def _may_hold(item: Any) -> bool:
    return str(type(item).__module__).startswith("mvarena.")


@deed("DONE")
def replaces_os_write(_: Any) -> None:
    os.write = lambda *_: 0  # type: ignore[assignment]


@deed("DONE", long=True)
def replaces_the_writer_of_json(_: Any) -> None:
    json.dumps = lambda *_, **__: "null"


@deed("FAILED", "ZeroDivisionError", long=True)
def replaces_asarray(_: Any) -> None:
    np.asarray = lambda *_, **__: 1 // 0  # type: ignore[assignment]


@deed("DONE")
def replaces_a_method_of_kmeans(_: Any) -> None:
    from sklearn.cluster import KMeans

    before = KMeans.fit

    def fit(self: Any, matrix: Any, *rest: Any, **more: Any) -> Any:
        return before(self, matrix * 0.0 + np.arange(len(matrix))[:, None] % 2, *rest, **more)

    KMeans.fit = fit


@deed("DONE", long=True)
def replaces_a_function_inside_kmeans(_: Any) -> None:
    from sklearn.cluster import _kmeans

    before = _kmeans._kmeans_single_lloyd

    def lloyd(matrix: Any, *rest: Any, **more: Any) -> Any:
        return before(matrix[::-1].copy(), *rest, **more)

    _kmeans._kmeans_single_lloyd = lloyd


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


@deed("FAILED", "of type object", long=True)
def labels_by_objects(data: Any) -> Any:
    return Representation(labels=np.array([0, 1, None] * data.n_samples, dtype=object)[: data.n_samples])


@deed("FAILED", "of type datetime64", long=True)
def labels_by_days(data: Any) -> Any:
    return Representation(labels=np.arange(data.n_samples).astype("datetime64[D]"))


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


@deed("FAILED", long=True)
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
