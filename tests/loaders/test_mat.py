"""MAT-files read as MATLAB (and scipy) would, in all versions; what is none, or cannot be decoded, is said."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from array_files import cell, mat, mat4, mat73
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import io, sparse
from user_files import understand

from mvarena.errors import InvalidData
from mvarena.readers.mat import read_mat
from mvarena.readers.values import CellArray, Unsupported

NUMBERS = hnp.arrays(
    dtype=st.sampled_from(["f8", "f4", "u1", "i2", "i4", "u8", "?"]),
    shape=hnp.array_shapes(min_dims=2, max_dims=3, max_side=5),
)
X = np.random.default_rng(0).random((4, 3))


@pytest.mark.parametrize("write", [mat, mat73], ids=["version 5", "version 7.3"])
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(array=NUMBERS)
def test_arrays_come_back(tmp_path: Path, write, array) -> None:
    found = read_mat(write(tmp_path, A=array, B=array[:1]))
    assert list(found) == ["A", "B"]
    assert np.array_equal(found["A"], array, equal_nan=array.dtype.kind == "f")
    assert found["B"].shape == array[:1].shape


@pytest.mark.parametrize("write", [mat, mat73], ids=["version 5", "version 7.3"])
def test_other_kinds_of_variables(tmp_path: Path, write) -> None:
    rng = np.random.default_rng(0)
    views = [X, rng.random((4, 5))]
    graph = sparse.random_array((6, 4), density=0.4, rng=rng, format="csc")
    found = read_mat(write(tmp_path, X=views if write is mat73 else cell(*views), G=graph, s="text", o={"inner": X}))
    assert isinstance(found["X"], CellArray)
    assert all(np.array_equal(ours, theirs) for ours, theirs in zip(found["X"].items, views, strict=True))
    assert abs(found["G"] - graph).max() == 0
    assert found["s"] == "text"
    assert np.array_equal(found["o"]["inner"], X)


def test_version_4(tmp_path: Path) -> None:
    found = read_mat(mat4(tmp_path, A=np.eye(2), S=sparse.csc_array(X), s="text"))
    assert found["A"].tolist() == [[1, 0], [0, 1]]
    assert np.array_equal(found["S"].toarray(), X)
    assert found["s"] == "text"


def element(kind: int, content: bytes, order: str = "<") -> bytes:
    """One element of a file of version 5."""
    return struct.pack(f"{order}II", kind, len(content)) + content + b"\0" * (-len(content) % 8)


def test_the_other_byte_order(tmp_path: Path) -> None:
    """A big-endian file by hand: the uint8 matrix [1 3; 2 4], as its format describes it."""
    body = element(6, struct.pack(">II", 9, 0), ">") + element(5, struct.pack(">ii", 2, 2), ">")
    body += element(1, b"A", ">") + element(2, bytes([1, 2, 3, 4]), ">")
    (tmp_path / "a.mat").write_bytes(b" " * 124 + b"\x01\x00MI" + element(14, body, ">"))
    assert read_mat(tmp_path / "a.mat")["A"].tolist() == [[1, 3], [2, 4]]


def opaque(folder: Path, kind: bytes) -> Path:
    """A file of version 5 with X, and `gt`, an object of a class as MATLAB's string, and a table t."""
    inner = element(6, struct.pack("<II", 13, 0)) + element(5, struct.pack("<ii", 1, 6)) + element(1, b"")
    inner += element(6, struct.pack("<6I", 0xDD000000, 2, 1, 1, 1, 1))
    with mat(folder, X=X).open("ab") as stream:
        for name, class_name in ((b"gt", kind), (b"t", b"table")):
            body = element(6, struct.pack("<II", 17, 0)) + element(1, name) + element(1, b"MCOS")
            stream.write(element(14, body + element(1, class_name) + element(14, inner)))
    return folder / "a.mat"


@pytest.mark.parametrize(
    ("kind", "line"),
    [("string", "gt = cellstr(gt)"), ("table", "gt = table2array(gt)"), ("categorical", "gt = cellstr(gt)")],
)
def test_objects_of_matlab_say_what_makes_them_readable(tmp_path: Path, kind: str, line: str) -> None:
    with h5py.File(tmp_path / "b.mat", "w", userblock_size=512) as file:
        file["X"] = X.T
        file["gt"] = np.ones((1, 6), dtype=np.uint32)
        file["gt"].attrs.update(MATLAB_class=np.bytes_(kind), MATLAB_object_decode=np.int32(3))
    for path, names in ((opaque(tmp_path, kind.encode()), ["gt", "t"]), (tmp_path / "b.mat", ["gt"])):
        read = understand(path, orientation="rows")
        assert np.array_equal(read.data.views[0].matrix, X)
        assert f"gt (a MATLAB {kind}; in MATLAB, {line} makes it readable)" in read.not_used
        assert [entry.partition(" ")[0] for entry in read.not_used] == names


def test_one_variable_that_scipy_cannot_decode_is_set_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load = io.loadmat

    def failing(path: Path, variable_names: list[str] | None = None) -> dict[str, Any]:
        if variable_names is None or "odd" in variable_names:
            raise TypeError("no such thing")
        return load(path, variable_names=variable_names)

    monkeypatch.setattr(io, "loadmat", failing)
    found = read_mat(mat(tmp_path, X=X, odd=X))
    assert np.array_equal(found["X"], X)
    assert found["odd"] == Unsupported("not decoded: no such thing")


def test_another_file_is_refused(tmp_path: Path) -> None:
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
