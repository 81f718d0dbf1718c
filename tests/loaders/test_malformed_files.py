"""Files that are cut off, altered, lying about their size or of the wrong types: one clear sentence, no more."""

from __future__ import annotations

import gzip
import pickle
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
from array_files import cell, mat, mat73
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import io, sparse
from user_files import understand

from mvarena.contracts.reader import ReadOptions
from mvarena.errors import InvalidData, MvarenaError
from mvarena.loaders.archives import read_members
from mvarena.loaders.places import read_idx
from mvarena.readers import limits
from mvarena.readers.mat import read_mat
from mvarena.readers.specs import read_table_files

SAMPLES = 12
RNG = np.random.default_rng(0)
FEATURES, Y = RNG.random((SAMPLES, 3)), np.repeat([1, 2, 3], 4)


def version_5(folder: Path) -> Path:
    views = cell(FEATURES, sparse.random_array((SAMPLES, 4), density=0.5, rng=RNG))
    io.savemat(folder / "a.mat", {"X": views, "y": Y, "name": "toy", "s": {"f": 1.5}})
    return folder / "a.mat"


def version_7(folder: Path) -> Path:
    return mat(folder, X=FEATURES, y=Y)


def version_73(folder: Path) -> Path:
    return mat73(folder, X=FEATURES, y=Y.astype(float))


def archive(folder: Path) -> Path:
    csr = {"data": np.ones(2), "indices": [0, 1], "indptr": [0, 1, 2] + [2] * (SAMPLES - 2), "shape": [SAMPLES, 4]}
    parts = {f"X1_{part}": np.array(values) for part, values in csr.items()}
    np.savez(folder / "a.npz", view_names=np.array(["a", "b"]), X0=FEATURES, **parts, y=Y)
    return folder / "a.npz"


def table(folder: Path) -> Path:
    rows = "\n".join(f"s{i},{i / 7:.4f},{i % 3}" for i in range(SAMPLES))
    (folder / "a.csv").write_text(f"id,f1,f2\n{rows}\n")
    return folder / "a.csv"


FORMATS = [version_5, version_7, archive, table]
FEW = settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
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


@pytest.mark.parametrize("make", [*FORMATS, version_73])
@FEW
@given(share=st.floats(0, 1, exclude_max=True))
def test_files_that_are_cut_off(tmp_path: Path, make, share: float) -> None:
    path = make(tmp_path)
    assert understand(path).data.n_samples == SAMPLES
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    understood_or_explained(path)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # altered numbers may overflow
@pytest.mark.parametrize("make", FORMATS)
@settings(FEW, max_examples=60)
@given(changes=ALTERED)
def test_files_with_altered_bytes(tmp_path: Path, make, changes) -> None:
    path = make(tmp_path)
    content = bytearray(path.read_bytes())
    for share, value in changes:
        content[int(share * len(content))] = value
    path.write_bytes(content)
    understood_or_explained(path)


@FEW
@given(content=st.binary(max_size=400), ending=st.sampled_from([".mat", ".npz", ".csv"]))
def test_random_bytes(tmp_path: Path, content: bytes, ending: str) -> None:
    (tmp_path / f"a{ending}").write_bytes(content)
    understood_or_explained(tmp_path / f"a{ending}")
    for packed in (content, gzip.compress(content), gzip.compress(b"\0\0\x08" + content)):
        (tmp_path / "a.gz").write_bytes(packed)
        understood_or_explained(tmp_path / "a.gz", read_idx)


ARRAYS = [
    *(np.array(values) for values in ([], [1, 2, 1, 2], ["a", "b", "", "é"], [[1 + 2j]], [-1, 0, 3])),
    *(np.zeros(shape) for shape in ((0, 3), (1, 1), (4, 2), (4, 4))),
    *(np.ones(shape) for shape in ((3, 2, 2), (2, 0, 1), (3, 3, 3))),
    np.array("2020-01-01", dtype="datetime64[D]"),
    np.full((3, 2), np.nan),
    np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")]),
]
NAMES = ["X", "X0", "X1", "X1_data", "X1_indices", "X1_indptr", "X1_shape", "y", "M", "kinds", "classes", "view_names",
         "n_clusters", "mask", "labels", "train_x", "test_x", "trainlabel", "testlabel"]  # fmt: skip


def test_arrays_of_the_wrong_types_and_shapes(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    for _ in range(150):
        names = rng.choice(NAMES, rng.integers(1, 8), replace=False)
        np.savez(tmp_path / "a.npz", **{name: ARRAYS[rng.integers(len(ARRAYS))] for name in names})
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


# archives ------------------------------------------------------------------------------------------------------


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


def npz_of(path: Path, header: bytes, content: bytes = b"", name: str = "X0.npy") -> Path:
    """An .npz file of one array with this header."""
    padded = header + b" " * (-(len(header) + 11) % 64) + b"\n"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, b"\x93NUMPY\x01\x00" + struct.pack("<H", len(padded)) + padded + content)
    return path


def declared(descr: str, shape: str) -> bytes:
    return f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}".encode()


def test_an_npz_with_paths_in_it_reads_arrays_only(tmp_path: Path) -> None:
    path = npz_of(tmp_path / "a.npz", declared("'<f8'", "(3, 3)"), np.eye(3).tobytes(), "../../escape.npy")
    understood_or_explained(path)
    assert [path.name for path in tmp_path.rglob("*")] == ["a.npz"]


@pytest.mark.parametrize(
    "header",
    [b"1 +", b"'\\d'", b"{'descr': lambda: 1}", b"a" * 5000, b"", b"\xff" * 8]
    + [b"(" * depth + b")" * depth for depth in (190, 4000)]
    + [declared("[" * depth + "]" * depth, "(2, 2)") for depth in (190, 4000)]
    + [declared("'<f8'", "(" * depth + ")" * depth) for depth in (190, 4000)],
    ids=range(12),
)
def test_headers_that_are_no_literals_or_deep_are_refused(tmp_path: Path, header: bytes) -> None:
    path = npz_of(tmp_path / "a.npz", header, b"\0" * 32)
    with pytest.raises(InvalidData) as raised:
        understand(path)
    assert str(raised.value).isprintable()
    assert len(str(raised.value)) < 1500


# sizes ---------------------------------------------------------------------------------------------------------


def test_declared_sizes_that_the_file_cannot_hold_take_no_memory(tmp_path: Path) -> None:
    path = npz_of(tmp_path / "a.npz", declared("'<f8'", "(1000000, 10000000)"), b"\0" * 64)
    with pytest.raises(InvalidData, match="more memory than is available"):
        understand(path)
    with h5py.File(tmp_path / "b.mat", "w") as file:
        file.create_dataset("A", (200_000, 200_000), "f8", chunks=(1000, 1000))
    with pytest.raises(InvalidData, match="declares 40000000000 numbers, which"):
        read_mat(tmp_path / "b.mat")
    header = b" " * 124 + b"\x00\x01IM"
    (tmp_path / "a.mat").write_bytes(header + struct.pack("<II", 14, 4_000_000_000) + b"\0" * 100)
    with pytest.raises(InvalidData, match="4000000000 bytes are declared and 100 are left"):
        read_mat(tmp_path / "a.mat")
    cells = struct.pack("<4I", 6, 8, 1, 0) + struct.pack("<IIii", 5, 8, 1000, 1_000_000) + struct.pack("<II", 1, 0)
    (tmp_path / "a.mat").write_bytes(header + struct.pack("<II", 14, len(cells)) + cells)
    with pytest.raises(InvalidData, match="declares 1000000000 numbers, which"):
        read_mat(tmp_path / "a.mat")


def test_declared_sizes_larger_than_memory_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A declared size is held against memory before memory is asked for, in each format."""
    zeros = {f"X{i}": np.zeros((1000, 64)) for i in range(6)}
    np.savez_compressed(tmp_path / "a.npz", **zeros)
    (tmp_path / "inner").mkdir()
    paths = [tmp_path / "a.npz", mat(tmp_path, **zeros), mat73(tmp_path / "inner", X=zeros["X0"])]
    monkeypatch.setattr(limits, "memory_limit", lambda: 1 << 19)
    for path in paths:
        with pytest.raises(InvalidData, match="not fit into the memory of this machine"):
            understand(path)


def test_a_sparse_matrix_of_nothing_takes_no_memory(tmp_path: Path) -> None:
    rows = {"data": np.empty(0), "indices": np.empty(0, int), "indptr": np.zeros(3, int), "shape": [2, 10**15]}
    np.savez(tmp_path / "a.npz", **{f"X0_{part}": values for part, values in rows.items()})
    with pytest.raises(InvalidData, match="does not fit into memory"):
        understand(tmp_path / "a.npz")


def test_tables_that_do_not_fit_into_memory_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "memory_limit", lambda: 1 << 20)
    for name, content, message in (
        ("a.csv", b"1,2\n" * 5000, "more cells than fit into memory"),
        ("a.csv", b"1,2\n" * 50_000, "too large to be read as text"),
        ("a.csv.gz", gzip.compress(b"0,0\n" * 1_000_000), "too large to be read as text"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InvalidData, match=message):
            understand(tmp_path / name)
    (tmp_path / "a.csv").write_text("id," + ",".join(f"f{i}" for i in range(300)) + "\nfirst" + ",1" * 300 + "\n")
    (tmp_path / "b.csv").write_text("id,f\n" + "first,1\n" + "".join(f"s{i},1\n" for i in range(300)))
    with pytest.raises(InvalidData, match="301 samples and 301 features, which does not fit into memory"):
        read_table_files([tmp_path / "a.csv", tmp_path / "b.csv"], ReadOptions())


def test_plain_files_of_some_size_pass(tmp_path: Path) -> None:
    """Sparse counts that shrink thirtyfold, and a cell of thousands of texts, as people have them."""
    counts = (RNG.random((500, 1000)) < 0.01) * 1.0
    np.savez_compressed(tmp_path / "a.npz", X=counts, y=np.arange(500) % 5)
    assert understand(tmp_path / "a.npz").data.n_samples == 500
    names = cell(*(f"s{i}" for i in range(3_000)))
    path = mat(tmp_path, X=RNG.random((3_000, 2)), y=np.arange(3_000) % 3, names=names)
    assert understand(path).data.n_samples == 3_000
