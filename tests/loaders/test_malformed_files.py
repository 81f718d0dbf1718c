"""Files that are cut off, altered, lying about their size or of the wrong types: one clear sentence, no more."""

from __future__ import annotations

import gzip
import io as python_io
import pickle
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import io, sparse
from user_files import understand

from mvarena.errors import InvalidData, MvarenaError
from mvarena.loaders.archives import read_members
from mvarena.loaders.places import read_idx

SAMPLES = 12


def mat_bytes(compressed: bool) -> bytes:
    rng = np.random.default_rng(0)
    views = np.empty(2, dtype=object)
    views[:] = [rng.random((SAMPLES, 3)), sparse.random_array((SAMPLES, 4), density=0.5, rng=rng)]
    stream = python_io.BytesIO()
    content = {"X": views, "y": np.repeat([1, 2, 3], 4), "name": "toy", "s": {"f": 1.5}}
    io.savemat(stream, content, do_compression=compressed)
    return stream.getvalue()


def npz_bytes(compressed: bool) -> bytes:
    rng = np.random.default_rng(0)
    stream = python_io.BytesIO()
    save = np.savez_compressed if compressed else np.savez
    save(
        stream,
        view_names=np.array(["a", "b"]),
        X0=rng.random((SAMPLES, 3)),
        X1_data=np.ones(2),
        X1_indices=np.array([0, 1]),
        X1_indptr=np.array([0, 1, 2] + [2] * (SAMPLES - 2)),
        X1_shape=np.array([SAMPLES, 4]),
        y=np.repeat([1, 2, 3], 4),
    )
    return stream.getvalue()


def csv_bytes(_: bool) -> bytes:
    rows = [f"s{i},{i / 7:.4f},{i % 3}" for i in range(SAMPLES)]
    return ("id,f1,f2\n" + "\n".join(rows) + "\n").encode()


FORMATS = [("a.mat", mat_bytes), ("a.npz", npz_bytes), ("a.csv", csv_bytes)]
# (position, new byte) pairs, positions as a share of the length
ALTERED = st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), min_size=1, max_size=6)


def understood_or_explained(path: Path, read: Callable[[Path], object] = understand) -> None:
    """`read` either understands the file or raises one sentence."""
    try:
        read(path)
    except MvarenaError as error:
        message = str(error)
        assert message.strip()
        assert message.isprintable()
        assert len(message) < 1500


@pytest.mark.parametrize(("name", "make"), FORMATS)
@pytest.mark.parametrize("compressed", [False, True])
def test_whole_files_are_understood(tmp_path: Path, name: str, make, compressed: bool) -> None:
    (tmp_path / name).write_bytes(make(compressed))
    assert understand(tmp_path / name).data.n_samples == SAMPLES


@pytest.mark.parametrize(("name", "make"), FORMATS)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.floats(0, 1, exclude_max=True), compressed=st.booleans())
def test_files_that_are_cut_off(tmp_path: Path, name: str, make, share: float, compressed: bool) -> None:
    content = make(compressed)
    (tmp_path / name).write_bytes(content[: int(share * len(content))])
    understood_or_explained(tmp_path / name)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # altered numbers may overflow
@pytest.mark.parametrize(("name", "make"), FORMATS)
@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=ALTERED, compressed=st.booleans())
def test_files_with_altered_bytes(tmp_path: Path, name: str, make, changes, compressed: bool) -> None:
    content = bytearray(make(compressed))
    for share, value in changes:
        content[int(share * len(content))] = value
    (tmp_path / name).write_bytes(content)
    understood_or_explained(tmp_path / name)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=400), ending=st.sampled_from([".mat", ".npz", ".csv"]))
def test_random_bytes(tmp_path: Path, content: bytes, ending: str) -> None:
    (tmp_path / f"a{ending}").write_bytes(content)
    understood_or_explained(tmp_path / f"a{ending}")


ARRAYS = st.one_of(
    st.lists(st.integers(-3, 3), min_size=0, max_size=6).map(np.array),
    st.lists(st.text(max_size=3), min_size=1, max_size=6).map(np.array),
    st.tuples(st.integers(0, 4), st.integers(0, 4)).map(np.zeros),
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)).map(np.ones),
    st.just(np.array([[1 + 2j]])),
    st.just(np.array("2020-01-01", dtype="datetime64[D]")),
    st.just(np.full((3, 2), np.nan)),
    st.just(np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")])),
)
NAMES = st.sampled_from(
    ["X", "X0", "X1", "X1_data", "X1_indices", "X1_indptr", "X1_shape", "y", "M", "kinds", "classes", "view_names",
     "n_clusters", "mask", "labels", "train_x", "test_x", "trainlabel", "testlabel"]
)  # fmt: skip


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(arrays=st.dictionaries(NAMES, ARRAYS, max_size=7))
def test_arrays_of_the_wrong_types_and_shapes(tmp_path: Path, arrays) -> None:
    np.savez(tmp_path / "a.npz", **arrays)
    understood_or_explained(tmp_path / "a.npz")


def test_python_objects_are_never_unpickled(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self):
            return (Path.touch, (tmp_path / "sprung",))

    objects = np.empty(2, dtype=object)
    objects[:] = [Trap(), Trap()]
    np.savez(tmp_path / "a.npz", views=objects, y=np.array([1, 2]))
    with pytest.raises(InvalidData, match=r"views \(Python objects, which are never unpickled; save plain"):
        understand(tmp_path / "a.npz")
    (tmp_path / "b.npz").write_bytes(pickle.dumps(Trap()))
    with pytest.raises(InvalidData):
        understand(tmp_path / "b.npz")
    assert not (tmp_path / "sprung").exists()


def test_declared_sizes_that_the_file_cannot_hold_take_no_memory(tmp_path: Path) -> None:
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 10000000), }"
    member = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header) + 1) + header + b"\n" + b"\0" * 64
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("X0.npy", member)
    with pytest.raises(InvalidData, match="more memory than is available"):
        understand(tmp_path / "a.npz")

    tag = struct.pack("<II", 14, 4_000_000_000) + b"\0" * 100
    (tmp_path / "a.mat").write_bytes(b" " * 124 + b"\x00\x01IM" + tag)
    with pytest.raises(InvalidData, match="4000000000 bytes are declared and 100 are left"):
        understand(tmp_path / "a.mat")


def test_archives_write_nothing_and_bound_what_they_hold(tmp_path: Path) -> None:
    path = tmp_path / "inner" / "a.zip"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../a.npy", b"outside")
        archive.writestr("big.bin", b"\0" * 1_000_000)
    assert read_members(path, ["a.npy"]) == {"a.npy": b"outside"}
    assert [p.name for p in tmp_path.rglob("*") if p.is_file()] == ["a.zip"]
    with pytest.raises(InvalidData, match="more than the 1000 bytes"):
        read_members(path, ["big.bin"], limit=1000)
    with pytest.raises(InvalidData, match="lacks other"):
        read_members(path, ["other"])


def test_an_npz_with_paths_in_it_reads_arrays_only(tmp_path: Path) -> None:
    stream = python_io.BytesIO()
    np.save(stream, np.eye(3))
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("../../escape.npy", stream.getvalue())
        archive.writestr("../escape.txt", b"x")
    understood_or_explained(tmp_path / "a.npz")
    assert [path.name for path in tmp_path.rglob("*")] == ["a.npz"]
    assert not (tmp_path.parent / "escape.txt").exists()


@given(content=st.binary(max_size=60))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_idx_files_of_random_bytes(tmp_path: Path, content: bytes) -> None:
    for packed in (content, gzip.compress(content), gzip.compress(b"\0\0\x08" + content)):
        (tmp_path / "a.gz").write_bytes(packed)
        understood_or_explained(tmp_path / "a.gz", read_idx)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.floats(0, 1, exclude_max=True))
def test_hdf5_files_that_are_cut_off(tmp_path: Path, share: float) -> None:
    with h5py.File(tmp_path / "whole.mat", "w", userblock_size=512) as file:
        file["X"] = np.random.default_rng(0).random((4, SAMPLES))
        file["y"] = np.repeat([[1.0, 2.0, 3.0]], 4)[None, :]
    content = (tmp_path / "whole.mat").read_bytes()
    assert understand(tmp_path / "whole.mat").data.n_samples == SAMPLES
    (tmp_path / "a.mat").write_bytes(content[: int(share * len(content))])
    understood_or_explained(tmp_path / "a.mat")
