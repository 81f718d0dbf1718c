"""No folder of anybody's machine is shown."""

from __future__ import annotations

import pytest

from mvarena.report.formatting import file_name, without_paths
from mvarena.text import without_folders


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("/home/me/faces.mat", "faces.mat"),
        (
            "my/faces.mat[a,b]?orientation=columns&labels=/home/me/y.csv",
            "faces.mat[a,b]?orientation=columns&labels=y.csv",
        ),
        ("/home/me/a.csv,/home/me/b.csv", "a.csv,b.csv"),
        (r"C:\Users\me\faces.mat", "faces.mat"),
        ("digits[fou,fac]", "digits[fou,fac]"),
        ("faces.mat", "faces.mat"),
        ("faces/", "faces/"),
    ],
)
def test_a_file_is_called_by_its_own_name(name: str, shown: str) -> None:
    assert file_name(name) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("/home/me/x/data.mat cannot be read", ".../data.mat cannot be read"),
        ("FileNotFoundError: '/home/me/data.mat'", "FileNotFoundError: '.../data.mat'"),
        (r"C:\Users\me\data.mat is gone", ".../data.mat is gone"),
        ("~/me/data.mat is gone", ".../data.mat is gone"),
        ("3/5 repeats and/or rates, 10 m/s", "3/5 repeats and/or rates, 10 m/s"),
    ],
)
def test_sentences_lose_folders_and_nothing_else(text: str, shown: str) -> None:
    assert without_folders(text) == shown


def test_one_trial_under_two_paths_counts_once(long_frame) -> None:
    for folder in ("/home/me", "/mnt/other"):
        long_frame.trial("apmc", {"acc": [0.5, 0.7]}, dataset=f"{folder}/x.mat", key="0" * 64)
    shown = without_paths(long_frame.frame())
    assert shown["dataset"].tolist() == ["x.mat"]


def test_no_path_is_shown_and_two_contents_under_one_file_name_stay_apart(results_of, long_frame) -> None:
    for folder, content in (("/home/me", "c0ffee1"), ("/mnt/other", "dec0de1")):
        where = {"dataset": f"{folder}/x.mat", "content": content}
        long_frame.trial("apmc", {"acc": [0.5]}, **where)
        long_frame.trial("mic", status="FAILED", reason=f"{folder}/x.mat has changed", **where)
    (table,) = results_of(long_frame).result_tables
    heads = [column.head for column in table.columns if column.dataset]
    assert heads == ["x.mat #c0ffee", "x.mat #dec0de"]
    text = " ".join([table.title, table.caption, *table.notes, *table.warnings])
    assert "x.mat has changed" in text
    assert "/home" not in text
    assert "/mnt" not in text
