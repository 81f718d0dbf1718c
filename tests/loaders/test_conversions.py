"""The line that a message gives for files of other programs, and for long tables, makes them readable."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from user_files import understand

from mvarena.errors import MvarenaError
from mvarena.readers.conversions import conversion


def convert(path: Path) -> None:
    """Do what the message says, in this process."""
    with pytest.raises(MvarenaError, match=": python -c") as raised:
        understand(path)
    line, *files = shlex.split(str(raised.value).partition(": python -c ")[2])
    with mock.patch.object(sys, "argv", ["-c", *files]):
        exec(line, {})


def test_an_npy_file(tmp_path: Path) -> None:
    A = np.random.default_rng(0).normal(size=(8, 3))
    np.save(tmp_path / "my data.npy", A)
    convert(tmp_path / "my data.npy")
    read = understand(tmp_path / "my data.npz", orientation="rows")
    np.testing.assert_array_equal(read.data.views[0].matrix, A)


def test_a_long_table(tmp_path: Path) -> None:
    rows = "".join(f"s{i};g{j};{i + j},5\n" for i in range(5) for j in range(3))
    (tmp_path / "a.csv").write_text(f"sample;gene;value\n{rows}")
    convert(tmp_path / "a.csv")
    read = understand(tmp_path / "a-wide.csv")
    np.testing.assert_array_equal(read.data.views[0].matrix, np.add.outer(np.arange(5), np.arange(3)) + 0.5)


@pytest.mark.parametrize("ending", ["h5ad", "h5mu", "xlsx", "xls"])
def test_every_line_is_python(ending: str) -> None:
    words = shlex.split(conversion(f"my data/it's.{ending}").partition("python ")[2])
    assert words[2:] == [f"my data/it's.{ending}", "my data/it's.csv"]
    compile(words[1], "advice", "exec")


def test_what_a_line_for_excel_needs_and_writes() -> None:
    assert " This writes a.csv, of the first sheet, after pip install openpyxl: python" in conversion("a.xlsx")
