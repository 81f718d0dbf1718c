"""Classes are nowhere where an algorithm may look: what it gets is sealed, and processes that hold them are hidden."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from mvarena.cache.handed_over import close_memory, handed_over, open_memory, taken_over
from mvarena.data import MultiViewData, View
from mvarena.system.channel import close_all

_READS = """
import os
from mvarena.system.processes import hidden_memory, hide_memory

def reads():
    "Whether a child of this process may read its memory."
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        try:
            open(f"/proc/{parent}/mem", "rb").close()
            open(f"/proc/{parent}/environ", "rb").read()
        except OSError:
            os._exit(0)
        os._exit(1)
    return os.waitpid(child, 0)[1] != 0

if os.geteuid() == 0:  # who may read everything
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
hide_memory(False)
before = reads()
with hidden_memory():
    with hidden_memory():
        pass
    meanwhile = reads()
print(before, meanwhile, reads())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such setting")
def test_hidden_memory_is_read_by_nobody_else_of_the_user() -> None:
    done = subprocess.run([sys.executable, "-c", _READS], capture_output=True, text=True, check=True)
    before, meanwhile, after = done.stdout.split()
    assert meanwhile == "False"
    assert before == after
    scope = Path("/proc/sys/kernel/yama/ptrace_scope")
    if not scope.exists() or scope.read_text().strip() == "0":
        assert before == "True", "it is the setting that keeps others from it"


def _data() -> MultiViewData:
    rng = np.random.default_rng(0)
    words = sparse.random_array((40, 9), density=0.2, rng=rng, format="csr")
    words.indices, words.indptr = words.indices.astype("i8"), words.indptr.astype("i8")
    square = np.cov(rng.normal(size=(40, 5)))
    views = (
        View("wide", np.asfortranarray(rng.normal(size=(40, 7)))),
        View("words", words),
        View("kernel", square, "kernel"),
        View("single", rng.normal(size=(40, 3)).astype("f4")),
    )
    mask = rng.random((40, 4)) < 0.7
    mask[:, 0] = True
    labels = rng.integers(0, 3, 40)
    return MultiViewData("mine", views, mask=mask, labels=labels, keep_single=True, ids=[f"s{i}" for i in range(40)])


def _arrays(view: View) -> list[np.ndarray]:
    matrix = view.matrix
    return [matrix.data, matrix.indices, matrix.indptr] if view.is_sparse else [matrix]


@pytest.mark.parametrize("labels", [None, np.arange(40)])
def test_data_that_are_handed_over_are_the_same_without_classes(labels: np.ndarray | None) -> None:
    data = _data()
    description, files = handed_over(data, open_memory(), labels=labels)
    assert close_memory(files[0]) is (sys.platform == "linux")
    taken = taken_over(description, files)
    assert (taken.classes, taken.ids) == (None, None)
    np.testing.assert_equal(taken.labels, labels)
    assert (taken.name, taken.n_clusters, taken.keep_single) == (data.name, data.n_clusters, True)
    assert taken.without_labels().fingerprint == data.without_labels().fingerprint
    for one, other in zip(data.views, taken.views, strict=True):
        arrays = [
            [m] if isinstance(m, np.ndarray) else [m.data, m.indices, m.indptr] for m in (one.matrix, other.matrix)
        ]
        for before, after in zip(*arrays, strict=True):
            assert (before.dtype, before.flags.f_contiguous) == (after.dtype, after.flags.f_contiguous)
            with pytest.raises(ValueError, match="WRITEABLE"):
                after.flags.writeable = True
    if sys.platform == "linux":
        with pytest.raises(PermissionError):
            os.pwrite(files[0], b"x", 0)
    close_all(files)


def test_large_views_stay_in_the_file_that_they_are_mapped_from(tmp_path: Path) -> None:
    numbers = np.random.default_rng(0).normal(size=(2000, 100))
    np.save(tmp_path / "view.npy", numbers)
    mapped = np.asarray(np.load(tmp_path / "view.npy", mmap_mode="r"))
    data = MultiViewData.from_arrays([mapped, mapped[1000:][::1].repeat(2, axis=0), numbers[:, :2]])
    memory = open_memory()
    description, files = handed_over(data, memory)
    assert len(files) == 2
    assert os.fstat(memory).st_size < 2 * numbers.nbytes
    taken = taken_over(description, files)
    assert taken.fingerprint == data.fingerprint
    close_all(files)
