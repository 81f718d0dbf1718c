"""Names of data: data sets, picked views, and files of one's own with how to read them."""

from __future__ import annotations

import os

import numpy as np
import pytest

from mvarena.errors import DataUnavailable, InvalidSetting, UnknownName
from mvarena.registry.catalog import installed_catalog
from mvarena.study.sources import UserFile, load_source, source_named, with_file_options


def named(name: str):
    return source_named(name, installed_catalog())


@pytest.mark.parametrize(
    ("name", "canonical", "file"),
    [
        ("my/data.mat", "my/data.mat", UserFile(("my/data.mat",))),
        ("data.npz[a, b]", "data.npz[a,b]", UserFile(("data.npz",))),
        ("x.mat?orientation=columns", "x.mat?orientation=columns", UserFile(("x.mat",), "columns")),
        ("a.csv,b.csv?labels=y.csv", "a.csv,b.csv?labels=y.csv", UserFile(("a.csv", "b.csv"), None, "y.csv")),
        ("x.mat[v]?orientation=rows", "x.mat[v]?orientation=rows", UserFile(("x.mat",), "rows")),
    ],
)
def test_files_are_told_by_their_endings(name, canonical, file):
    source = named(name)
    assert (source.name, source.file, source.spec) == (canonical, file, None)
    assert named(source.name) == source


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("digts", UnknownName, "Did you mean digits.*A file of your own ends in .npz"),
        ("digits?orientation=rows", InvalidSetting, "says how to read a file, and digits is none"),
        ("x.mat?colour=red", InvalidSetting, "write orientation=rows"),
        ("x.mat?labels=", InvalidSetting, "write orientation=rows"),
        ("x.mat[]", InvalidSetting, "picks no view"),
        ("[a]", InvalidSetting, "no data set name"),
    ],
)
def test_names_that_cannot_be_read(name, error, message):
    with pytest.raises(error, match=message):
        named(name)


def test_options_are_added_to_files_only():
    assert with_file_options("digits[fou]", "rows", None) == "digits[fou]"
    assert with_file_options("a.csv,b.csv", None, "y.csv") == "a.csv,b.csv?labels=y.csv"
    assert with_file_options("x.mat[v]", "rows", None) == "x.mat[v]?orientation=rows"
    assert with_file_options("x.mat?orientation=columns", "rows", None) == "x.mat?orientation=columns"


def test_a_missing_file_and_a_file_that_is_written_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MVARENA_CACHE", str(tmp_path / "cache"))
    catalog = installed_catalog()
    with pytest.raises(DataUnavailable, match=r"There is no file x\.npz"):
        load_source("x.npz", catalog)
    np.savez("x.npz", X1=np.arange(12.0).reshape(6, 2), X2=np.eye(6)[:, :3], y=[0, 0, 1, 1, 2, 2])
    first = load_source("x.npz", catalog)
    assert (first.n_samples, first.n_views, first.n_clusters) == (6, 2, 3)
    assert load_source("x.npz", catalog) is first
    np.savez("x.npz", X1=np.arange(12.0).reshape(6, 2) + 1, X2=np.eye(6)[:, :3], y=[0, 0, 1, 1, 2, 2])
    os.utime("x.npz", ns=(1, 1))
    assert load_source("x.npz", catalog).fingerprint != first.fingerprint
