"""What is understood of files by the readers that are installed, and tables of two views of the same samples."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mvarena.contracts.reader import Understanding
from mvarena.contracts.source import Source
from mvarena.data import MultiViewData
from mvarena.errors import MvarenaError
from mvarena.registry.catalog import installed_catalog
from mvarena.study.sources import load_source, understand_source

N = 12
A = np.random.default_rng(0).normal(size=(N, 4)).round(3) + 1e-4
B = np.random.default_rng(1).normal(size=(N, 6)).round(3) + 1e-4
Y = np.arange(N) % 3
IDS = [f"s{i:02d}" for i in range(N)]
SHUFFLED = np.random.default_rng(2).permutation(N)


def understand(paths: Path | Sequence[Path], **how: Any) -> Understanding:
    """how : the options of reading, such as labels and orientation."""
    return understand_source(Source.of_files(paths, **how), installed_catalog())


def load_user_data(paths: Path | Sequence[Path]) -> MultiViewData:
    return load_source(Source.of_files(paths), installed_catalog())


def table(X, header=None, ids=None, sep=",", corner="id", order=range(N)) -> str:
    """The rows `order` of X as text, below a header and behind ids where these are given."""
    lines = [] if header is None else [sep.join([*([corner] if ids is not None else []), *map(str, header)])]
    lines += [sep.join([*([str(ids[i])] if ids is not None else []), *(f"{v:.4f}" for v in X[i])]) for i in order]
    return "\n".join(lines) + "\n"


def labels(ids=None, header="class", values=Y) -> str:
    lines = [] if header is None else [f"id,{header}" if ids is not None else header]
    return "\n".join(lines + [f"{ids[i]},{v}" if ids is not None else str(v) for i, v in enumerate(values)]) + "\n"


def read(folder: Path, files: dict[str, str | bytes], **how: Any) -> Understanding:
    """What is understood of these files, name -> content; y.csv is that of the labels."""
    for name, content in files.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    how |= {"labels": folder / "y.csv"} if "y.csv" in files else {}
    return understand([folder / name for name in files if name != "y.csv"], **how)


def check(found: Understanding, *views, ids=None, classes: bool = True) -> None:
    """The views as they are, with their ids and the three classes of Y."""
    assert len(found.data.views) == len(views)
    for view, X in zip(found.data.views, views, strict=True):
        np.testing.assert_allclose(view.matrix, X, atol=1e-9)
    assert found.data.ids == (None if ids is None else tuple(map(str, ids)))
    if classes:
        assert found.data.labels is not None
        assert found.data.labels.tolist() == Y.tolist()


def refused(folder: Path, files: dict[str, str | bytes], why: str, **how: Any) -> MvarenaError:
    """The error that these files are refused with, whose message matches `why`."""
    with pytest.raises(MvarenaError, match=why) as raised:
        read(folder, files, **how)
    return raised.value
