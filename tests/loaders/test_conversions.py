"""The line that a message gives for files of other programs makes them readable."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from user_files import understand

from mvarena.errors import InvalidSetting
from mvarena.readers.conversions import conversion

A = np.random.default_rng(0).normal(size=(8, 3))


def convert(path: Path) -> None:
    """Do what the message says, in this process."""
    with pytest.raises(InvalidSetting, match=r"This writes [\w ]+\.\w+: python -c") as raised:
        understand(path)
    _, _, line, *files = shlex.split(str(raised.value).partition(": python")[2].join(["python", ""]))
    with mock.patch.object(sys, "argv", ["-c", *files]):
        exec(line, {})


def test_an_npy_file(tmp_path: Path) -> None:
    np.save(tmp_path / "my data.npy", A)
    convert(tmp_path / "my data.npy")
    read = understand(tmp_path / "my data.npz", orientation="rows")
    np.testing.assert_array_equal(read.data.views[0].matrix, A)


def test_an_arff_file(tmp_path: Path) -> None:
    head = "".join(f"@attribute f{j} real\n" for j in range(3))
    rows = "\n".join(",".join(map(repr, row)) for row in A.tolist())
    (tmp_path / "a.arff").write_text(f"@relation x\n{head}@data\n{rows}\n")
    convert(tmp_path / "a.arff")
    np.testing.assert_allclose(understand(tmp_path / "a.csv").data.views[0].matrix, A)


@pytest.mark.parametrize("ending", ["h5ad", "h5mu", "xlsx", "xls", "ods", "parquet", "feather", "sav", "dta"])
def test_every_line_is_python(ending: str) -> None:
    words = shlex.split(conversion(f"my data/it's.{ending}").partition("python ")[2])
    assert words[2:] == [f"my data/it's.{ending}", "my data/it's.csv"]
    compile(words[1], "advice", "exec")


def test_a_text_file_of_another_ending_is_to_be_renamed(tmp_path: Path) -> None:
    (tmp_path / "iris.data").write_text("1.5,2.5\n3.5,4.5\n")
    with pytest.raises(
        InvalidSetting, match=r"data files end in .*\.csv\.gz.*If it is a table as text, call it .*iris\.csv\."
    ):
        understand(tmp_path / "iris.data")
