"""Small files that would take all memory or all day: one clear sentence, soon, whatever they hold."""

from __future__ import annotations

import gzip
import struct
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pytest
from scipy import io
from user_files import understand

from mvarena.contracts.reader import ReadOptions
from mvarena.errors import InvalidData
from mvarena.readers import limits, masks
from mvarena.readers.specs import read_table_files

TOO_LARGE = "unpacks to more than"


@pytest.fixture
def small_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mebibyte and 256 times the file's size instead of a gibibyte, so that no test need unpack more."""
    monkeypatch.setattr(limits, "_ALWAYS_BYTES", 1 << 20)


def npy(header: bytes, content: bytes = b"", version: tuple[int, int] = (1, 0)) -> bytes:
    padded = header + b" " * (-(len(header) + 11) % 64) + b"\n"
    size = struct.pack("<H" if version == (1, 0) else "<I", len(padded))
    return b"\x93NUMPY" + bytes(version) + size + padded + content


def declared(descr: str, shape: str) -> bytes:
    return f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}".encode()


def npz_of(path: Path, *members: tuple[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return path


def mat_of(path: Path, *variables: bytes) -> Path:
    """A file of version 5 with each variable compressed."""
    packed = [zlib.compress(variable, 9) for variable in variables]
    path.write_bytes(b" " * 124 + b"\x00\x01IM" + b"".join(struct.pack("<II", 15, len(one)) + one for one in packed))
    return path


def element(kind: int, content: bytes) -> bytes:
    return struct.pack("<II", kind, len(content)) + content + b"\0" * (-len(content) % 8)


def matrix(kind: int, shape: tuple[int, int], name: bytes, inside: bytes) -> bytes:
    head = element(6, struct.pack("<II", kind, 0)) + element(5, struct.pack("<ii", *shape)) + element(1, name)
    return element(14, head + inside)


@pytest.mark.parametrize("descr", ["'|S0'", "'<U0'", "'|S'", "'<U'"])
def test_texts_of_no_letters_are_not_counted_out(tmp_path: Path, descr: str) -> None:
    path = npz_of(tmp_path / "a.npz", ("y.npy", npy(declared(descr, "(1000000000000,)"))))
    with pytest.raises(InvalidData, match=r"y\.npy declares 1000000000000 empty texts"):
        understand(path)


@pytest.mark.parametrize(
    "shape",
    ["(True, 5)", "(5, False)", "(9223372036854775808, 0)", "(-1, 5)", "(1.0, 5)", "('5',)", f"({'1, ' * 33})"],
)
def test_shapes_that_are_none_are_refused(tmp_path: Path, shape: str) -> None:
    path = npz_of(tmp_path / "a.npz", ("X0.npy", npy(declared("'<f8'", shape), b"\0" * 40)))
    with pytest.raises(InvalidData, match=r"X0\.npy declares the impossible shape|is not a description"):
        understand(path)


@pytest.mark.parametrize("open_close", ["()", "[]", "{}"])
@pytest.mark.parametrize("depth", [50, 190, 1000, 4000])
@pytest.mark.parametrize("place", ["descr", "shape", "all"])
def test_deep_headers_are_refused(tmp_path: Path, open_close: str, depth: int, place: str) -> None:
    nest = open_close[0] * depth + open_close[1] * depth
    header = {"descr": declared(nest, "(2, 2)"), "shape": declared("'<f8'", nest), "all": nest.encode()}[place]
    path = npz_of(tmp_path / "a.npz", ("X0.npy", npy(header, b"\0" * 32)))
    with pytest.raises(InvalidData) as raised:
        understand(path)
    assert str(raised.value).isprintable()
    assert len(str(raised.value)) < 1500


@pytest.mark.parametrize("header", [b"1 +", b"'\\d'", b"{'descr': lambda: 1}", b"a" * 5000, b"", b"\xff" * 8])
def test_headers_that_are_no_literals_are_refused(tmp_path: Path, header: bytes) -> None:
    path = npz_of(tmp_path / "a.npz", ("X0.npy", npy(header)))
    with pytest.raises(InvalidData):
        understand(path)


@pytest.mark.usefixtures("small_budget")
def test_many_arrays_of_zeros_are_counted_together(tmp_path: Path) -> None:
    zeros = np.zeros((1000, 64))
    stream = {f"X{i}": zeros for i in range(6)}
    np.savez_compressed(tmp_path / "a.npz", **stream)
    io.savemat(tmp_path / "a.mat", stream, do_compression=True)
    for name in ("a.npz", "a.mat"):
        with pytest.raises(InvalidData, match=TOO_LARGE):
            understand(tmp_path / name)


@pytest.mark.usefixtures("small_budget")
def test_one_variable_many_times_is_counted_each_time(tmp_path: Path) -> None:
    zeros = np.zeros((1000, 64))
    variable = matrix(6, zeros.shape, b"X", element(9, zeros.tobytes()))
    stream = npy(declared("'<f8'", str(zeros.shape)), zeros.tobytes())
    with pytest.warns(UserWarning, match="Duplicate name"):
        npz = npz_of(tmp_path / "a.npz", *[("X.npy", stream)] * 8)
    for path in (npz, mat_of(tmp_path / "a.mat", *[variable] * 8)):
        with pytest.raises(InvalidData, match=TOO_LARGE):
            understand(path)


@pytest.mark.usefixtures("small_budget")
def test_a_variable_with_many_names_in_hdf5_is_counted_for_each(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "a.mat", "w") as file:
        file.create_dataset("X1", (64, 1000), "f8", data=np.zeros((64, 1000)), compression="gzip")
        for i in range(2, 9):
            file[f"X{i}"] = file["X1"]
    with pytest.raises(InvalidData, match=TOO_LARGE):
        understand(tmp_path / "a.mat")


@pytest.mark.usefixtures("small_budget")
def test_bytes_that_become_numbers_are_counted_as_such(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "a.npz", X=np.ones((1000, 500), dtype=np.uint8), y=np.arange(1000) % 3)
    with pytest.raises(InvalidData, match=TOO_LARGE):
        understand(tmp_path / "a.npz")


def test_cells_that_hold_each_other_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten cells that each hold the next one sixteen times: 16^10 items in a few kilobytes."""
    h5py = pytest.importorskip("h5py")
    monkeypatch.setattr(limits, "_ITEMS", 10_000)
    with h5py.File(tmp_path / "a.mat", "w") as file:
        file["#refs#/0"] = np.ones((2, 2))
        for level in range(1, 11):
            name = "X" if level == 10 else f"#refs#/{level}"
            cell = file.create_dataset(name, (16, 1), dtype=h5py.special_dtype(ref=h5py.Reference))
            cell.attrs["MATLAB_class"] = np.bytes_("cell")
            for i in range(16):
                cell[i, 0] = file[f"#refs#/{level - 1}"].ref
    with pytest.raises(InvalidData, match="more than 10000 variables, cells and fields"):
        understand(tmp_path / "a.mat")


def test_empty_cells_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_ITEMS", 10_000)
    cell = matrix(1, (20_000, 1), b"X", struct.pack("<II", 14, 0) * 20_000)
    with pytest.raises(InvalidData, match="more than 10000 variables, cells and fields"):
        understand(mat_of(tmp_path / "a.mat", cell))


def test_fields_are_counted_before_they_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_ITEMS", 10_000)
    struct_array = matrix(2, (1, 1), b"X", element(5, struct.pack("<i", 1)) + element(1, b"a" * 20_000))
    with pytest.raises(InvalidData, match="more than 10000 variables, cells and fields"):
        understand(mat_of(tmp_path / "a.mat", struct_array))


def test_reading_ends_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_SECONDS", -1.0)
    np.savez(tmp_path / "a.npz", X0=np.eye(3))
    io.savemat(tmp_path / "a.mat", {"X": np.eye(3)})
    for name in ("a.npz", "a.mat"):
        with pytest.raises(InvalidData, match="takes longer than"):
            understand(tmp_path / name)


def test_a_sparse_matrix_of_nothing_takes_no_memory(tmp_path: Path) -> None:
    """2^31 - 1 rows of which none is there."""
    empty = element(5, b"") + element(5, struct.pack("<ii", 0, 0)) + element(9, b"")
    with pytest.raises(InvalidData, match=TOO_LARGE):
        understand(mat_of(tmp_path / "a.mat", matrix(5, (2**31 - 1, 1), b"X", empty)))
    rows = {"data": np.empty(0), "indices": np.empty(0, int), "indptr": np.zeros(3, int), "shape": [2, 10**15]}
    np.savez(tmp_path / "a.npz", **{f"X0_{part}": values for part, values in rows.items()})
    with pytest.raises(InvalidData, match=TOO_LARGE):
        understand(tmp_path / "a.npz")


def test_a_chunk_larger_than_its_array_is_not_unpacked(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "a.mat", "w") as file:
        file.create_dataset("X", (4, 4), "f8", chunks=(1 << 14, 1 << 14), maxshape=(None, None), compression="gzip")
    with pytest.raises(InvalidData, match=TOO_LARGE):
        understand(tmp_path / "a.mat")


def test_sample_numbers_without_samples_spread_nothing(tmp_path: Path) -> None:
    """Two views of two rows, which are said to be the samples 1 and 10^12."""
    lists, views = np.empty((1, 2), dtype=object), np.empty((1, 2), dtype=object)
    lists[0, :] = [np.array([[1.0, 1e12]]), np.array([[1.0, 1e12]])]
    views[0, :] = [np.ones((2, 3)), np.ones((2, 4))]
    assert masks.spread_short_views(list(views[0]), {"ind": _cell(lists)}, None) is None


def _cell(objects: np.ndarray):
    from mvarena.readers.mat_values import CellArray

    return CellArray(tuple(objects.ravel()), objects.shape)


def test_ids_that_join_nothing_fill_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "memory_limit", lambda: 1 << 20)
    (tmp_path / "a.csv").write_text("id," + ",".join(f"f{i}" for i in range(300)) + "\nfirst" + ",1" * 300 + "\n")
    (tmp_path / "b.csv").write_text("id,f\n" + "first,1\n" + "".join(f"s{i},1\n" for i in range(300)))
    with pytest.raises(InvalidData, match="301 samples and 301 features, which does not fit into memory"):
        read_table_files([tmp_path / "a.csv", tmp_path / "b.csv"], ReadOptions())


def test_tables_of_more_cells_than_memory_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "memory_limit", lambda: 1 << 20)
    (tmp_path / "a.csv").write_text("1,2\n" * 5000)
    with pytest.raises(InvalidData, match="more cells than fit into memory"):
        understand(tmp_path / "a.csv")
    (tmp_path / "a.csv").write_text("1,2\n" * 50_000)
    with pytest.raises(InvalidData, match="too large to be read as text"):
        understand(tmp_path / "a.csv")
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"0,0\n" * 1_000_000))
    with pytest.raises(InvalidData, match="too large to be read as text"):
        understand(tmp_path / "a.csv.gz")


def test_plain_files_of_some_size_pass(tmp_path: Path) -> None:
    """Sparse counts that shrink thirtyfold, and a cell of a hundred thousand texts, as people have them."""
    rng = np.random.default_rng(0)
    counts = (rng.random((500, 4000)) < 0.01) * 1.0
    np.savez_compressed(tmp_path / "a.npz", X=counts, y=np.arange(500) % 5)
    assert understand(tmp_path / "a.npz").data.n_samples == 500
    names = np.array([f"s{i}" for i in range(20_000)], dtype=object)
    io.savemat(
        tmp_path / "a.mat",
        {"X": rng.random((20_000, 2)), "y": np.arange(20_000) % 3, "names": names},
        do_compression=True,
    )
    assert understand(tmp_path / "a.mat").data.n_samples == 20_000
