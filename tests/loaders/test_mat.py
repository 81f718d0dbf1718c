"""MAT-files read as MATLAB (and scipy) would, in both formats."""

from __future__ import annotations

import struct
from pathlib import Path

import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import io, sparse

from mvarena.errors import InvalidData
from mvarena.readers.mat import read_mat
from mvarena.readers.values import CellArray, Unsupported

NUMBERS = hnp.arrays(
    dtype=st.sampled_from(["f8", "f4", "u1", "i2", "i4", "u8", "?"]),
    shape=hnp.array_shapes(min_dims=2, max_dims=3, max_side=5),
)


def write_v73(path: Path, variables: dict) -> None:
    """A file as MATLAB's -v7.3 writes it: reversed dimensions, cells as references, a 512-byte user block."""
    with h5py.File(path, "w", userblock_size=512) as file:
        for name, value in variables.items():
            _put(file, file, name, value)
    with path.open("r+b") as stream:
        stream.write(b"MATLAB 7.3 MAT-file, made by a test".ljust(124) + b"\x00\x02IM")


def _put(file, group, name: str, value) -> None:
    if isinstance(value, list):
        refs = group.create_dataset(name, (len(value), 1), dtype=h5py.special_dtype(ref=h5py.Reference))
        refs.attrs["MATLAB_class"] = np.bytes_("cell")
        for i, item in enumerate(value):
            _put(file, file.require_group("#refs#"), f"{name}{i}", item)
            refs[i, 0] = file["#refs#"][f"{name}{i}"].ref
    elif isinstance(value, dict):
        inner = group.create_group(name)
        inner.attrs["MATLAB_class"] = np.bytes_("struct")
        for key, item in value.items():
            _put(file, inner, key, item)
    elif sparse.issparse(value):
        inner = group.create_group(name)
        matrix = sparse.csc_array(value)
        inner.attrs["MATLAB_sparse"] = np.uint64(matrix.shape[0])
        for part, array in (("data", matrix.data), ("ir", matrix.indices), ("jc", matrix.indptr)):
            inner.create_dataset(part, data=array)
    elif isinstance(value, str):
        made = group.create_dataset(name, data=np.array([[ord(c)] for c in value], dtype=np.uint16))
        made.attrs["MATLAB_class"] = np.bytes_("char")
    else:
        made = group.create_dataset(name, data=np.ascontiguousarray(np.asarray(value).T), compression="gzip")
        made.attrs["MATLAB_class"] = np.bytes_("double")


@given(NUMBERS, st.booleans())
def test_arrays_of_version_5_come_back(tmp_path_factory, array, compressed) -> None:
    path = tmp_path_factory.mktemp("mat") / "a.mat"
    io.savemat(path, {"A": array, "B": array[:1]}, do_compression=compressed)
    found = read_mat(path)
    assert list(found) == ["A", "B"]
    assert np.array_equal(found["A"], array, equal_nan=array.dtype.kind == "f")
    assert found["B"].shape == array[:1].shape


@given(NUMBERS)
def test_arrays_of_version_73_come_back(tmp_path_factory, array) -> None:
    path = tmp_path_factory.mktemp("mat") / "a.mat"
    write_v73(path, {"A": array.astype(np.float64)})
    assert np.array_equal(read_mat(path)["A"], array.astype(np.float64), equal_nan=True)


@pytest.mark.parametrize("write", [io.savemat, write_v73], ids=["version 5", "version 7.3"])
def test_other_kinds_of_variables(tmp_path: Path, write) -> None:
    rng = np.random.default_rng(0)
    views = [rng.random((4, 3)), rng.random((4, 5))]
    graph = sparse.random_array((6, 4), density=0.4, rng=rng, format="csc")
    cells = views if write is write_v73 else np.array([*views, None], dtype=object)[:2]
    write(tmp_path / "a.mat", {"X": cells, "G": graph, "s": "text", "o": {"inner": views[0]}})
    found = read_mat(tmp_path / "a.mat")
    assert isinstance(found["X"], CellArray)
    assert all(np.array_equal(ours, theirs) for ours, theirs in zip(found["X"].items, views, strict=True))
    assert abs(found["G"] - graph).max() == 0
    assert found["s"] == "text"
    assert np.array_equal(found["o"]["inner"], views[0])


def test_the_other_byte_order(tmp_path: Path) -> None:
    """A big-endian file by hand: the uint8 matrix [1 3; 2 4], as its format describes it."""

    def element(kind: int, content: bytes) -> bytes:
        return struct.pack(">II", kind, len(content)) + content + b"\0" * (-len(content) % 8)

    body = element(6, struct.pack(">II", 9, 0)) + element(5, struct.pack(">ii", 2, 2)) + element(1, b"A")
    body += element(2, bytes([1, 2, 3, 4]))
    (tmp_path / "a.mat").write_bytes(b" " * 124 + b"\x01\x00MI" + struct.pack(">II", 14, len(body)) + body)
    assert read_mat(tmp_path / "a.mat")["A"].tolist() == [[1, 3], [2, 4]]


def test_version_4_is_read_and_other_files_are_refused(tmp_path: Path) -> None:
    io.savemat(tmp_path / "four.mat", {"A": np.eye(2), "s": "text"}, format="4")
    assert read_mat(tmp_path / "four.mat")["A"].tolist() == [[1, 0], [0, 1]]
    assert read_mat(tmp_path / "four.mat")["s"] == "text"
    (tmp_path / "other.mat").write_text("no MATLAB file " * 20)
    with pytest.raises(InvalidData, match="no MATLAB file, or is damaged"):
        read_mat(tmp_path / "other.mat")


def test_a_link_out_of_the_file_is_not_followed(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "secret.h5", "w") as secret:
        secret["A"] = np.eye(3)
    with h5py.File(tmp_path / "a.mat", "w") as file:
        file["A"] = h5py.ExternalLink(str(tmp_path / "secret.h5"), "A")
        file.create_dataset("B", (4, 4), "f8", external=[(str(tmp_path / "secret.h5"), 0, 128)])
    assert read_mat(tmp_path / "a.mat")["A"] == Unsupported("a link to another file")
    assert read_mat(tmp_path / "a.mat")["B"] == Unsupported("numbers that lie in other files")


def test_a_huge_empty_array_is_refused(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.mat", "w") as file:
        file.create_dataset("A", (200_000, 200_000), "f8", chunks=(1000, 1000))
    with pytest.raises(InvalidData, match="declares 40000000000 numbers, which"):
        read_mat(tmp_path / "a.mat")


def test_unreadable_objects_of_huge_size_are_refused(tmp_path: Path) -> None:
    """A cell array that announces 10^9 items in a few bytes."""
    body = struct.pack("<II", 6, 8) + struct.pack("<II", 1, 0)
    body += struct.pack("<II", 5, 8) + struct.pack("<ii", 1000, 1_000_000) + struct.pack("<II", 1, 0)
    (tmp_path / "a.mat").write_bytes(b" " * 124 + b"\x00\x01IM" + struct.pack("<II", 14, len(body)) + body)
    with pytest.raises(InvalidData, match="declares 1000000000 numbers, which"):
        read_mat(tmp_path / "a.mat")
