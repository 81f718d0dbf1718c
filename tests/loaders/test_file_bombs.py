"""Files that declare more than memory holds, or no array at all: one clear sentence, soon."""

from __future__ import annotations

import gzip
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest
from scipy import io
from user_files import understand

from mvarena.contracts.reader import ReadOptions
from mvarena.errors import InvalidData
from mvarena.readers import limits
from mvarena.readers.specs import read_table_files


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


@pytest.mark.parametrize("depth", [50, 190, 1000, 4000])
def test_deep_headers_are_refused(tmp_path: Path, depth: int) -> None:
    for first, last in ("()", "[]", "{}"):
        nest = first * depth + last * depth
        for header in (declared(nest, "(2, 2)"), declared("'<f8'", nest), nest.encode()):
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


def test_declared_sizes_larger_than_memory_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A declared size is held against memory before memory is asked for, in each format."""
    h5py = pytest.importorskip("h5py")
    zeros = {f"X{i}": np.zeros((1000, 64)) for i in range(6)}
    np.savez_compressed(tmp_path / "a.npz", **zeros)
    io.savemat(tmp_path / "a.mat", zeros, do_compression=True)
    with h5py.File(tmp_path / "b.mat", "w") as file:
        file.create_dataset("X", data=zeros["X0"], compression="gzip")
    monkeypatch.setattr(limits, "memory_limit", lambda: 1 << 19)
    for name in ("a.npz", "a.mat", "b.mat"):
        with pytest.raises(InvalidData, match="not fit into the memory of this machine"):
            understand(tmp_path / name)


def test_a_sparse_matrix_of_nothing_takes_no_memory(tmp_path: Path) -> None:
    rows = {"data": np.empty(0), "indices": np.empty(0, int), "indptr": np.zeros(3, int), "shape": [2, 10**15]}
    np.savez(tmp_path / "a.npz", **{f"X0_{part}": values for part, values in rows.items()})
    with pytest.raises(InvalidData, match="does not fit into memory"):
        understand(tmp_path / "a.npz")


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
    """Sparse counts that shrink thirtyfold, and a cell of thousands of texts, as people have them."""
    rng = np.random.default_rng(0)
    counts = (rng.random((500, 1000)) < 0.01) * 1.0
    np.savez_compressed(tmp_path / "a.npz", X=counts, y=np.arange(500) % 5)
    assert understand(tmp_path / "a.npz").data.n_samples == 500
    names = np.array([f"s{i}" for i in range(3_000)], dtype=object)
    io.savemat(
        tmp_path / "a.mat",
        {"X": rng.random((3_000, 2)), "y": np.arange(3_000) % 3, "names": names},
        do_compression=True,
    )
    assert understand(tmp_path / "a.mat").data.n_samples == 3_000
