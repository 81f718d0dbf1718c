"""`mvarena data`: what is at hand, and what files of one's own hold."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from mvarena.cli.main import main


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MVARENA_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("MVARENA_DATA", raising=False)


def said(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    """The exit code, the output and the complaints of `mvarena data ...`."""
    try:
        main(["data", *args])
        code = 0
    except SystemExit as end:
        code = int(end.code or 0)
    return code, *capsys.readouterr()


def test_the_list_says_what_each_data_set_needs(capsys) -> None:
    code, out, err = said(capsys, "list", "--json")
    entries = {entry["name"]: entry for entry in json.loads(out)}
    assert (code, err) == (0, "")
    assert entries["digits"] | {"terms": ""} == {
        "name": "digits", "state": "ready", "size": "1.8 MB", "terms": "", "samples": 2000, "clusters": 10,
        "missing": [], "views": ["fou", "fac", "kar", "pix", "zer", "mor"],
    }  # fmt: skip
    assert (entries["flower17"]["state"], len(entries["flower17"]["missing"])) == ("manual", 2)
    assert (entries["toy-drawn"]["state"], entries["toy-drawn"]["size"]) == ("drawn at random", "")
    assert (entries["toy-plain"]["state"], entries["toy-plain"]["views"]) == ("ready", ["a", "b"])
    code, out, _ = said(capsys, "list")
    assert (code, len(out.splitlines()) > len(entries)) == (0, True)


def test_a_data_set_without_files_says_so(capsys) -> None:
    for command in ("path", "fetch"):
        assert said(capsys, command, "toy-drawn")[1].strip() == "toy-drawn needs no files."
    assert "needs no files" in said(capsys, "import", "toy-drawn", ".")[2]


def test_a_file_of_ones_own_has_a_path(capsys) -> None:
    Path("a[1],b.csv").write_text("1,2\n3,4\n")
    code, out, _ = said(capsys, "path", "a[1],b.csv")
    assert (code, out.strip()) == (0, str(Path("a[1],b.csv").absolute()))


def test_convert_replaces_a_file_only_when_told_to(capsys) -> None:
    np.savez("x.npz", X1=np.arange(12.0).reshape(6, 2), X2=np.eye(6)[:, :3], y=[0, 0, 1, 1, 2, 2])
    before = Path("x.npz").read_bytes()
    code, _, err = said(capsys, "convert", "x.npz", "x.npz")
    assert (code, "is there already" in err, "--force" in err) == (1, True, True)
    assert Path("x.npz").read_bytes() == before
    assert said(capsys, "convert", "x.npz", "x.npz", "--force")[0] == 0
    assert "it is in mvarena's form: 2 views of 6 samples" in said(capsys, "inspect", "x.npz")[1]
    code, _, err = said(capsys, "convert", "x.npz", "x.mat")
    assert (code, "must end in .npz" in err) == (1, True)


def test_only_files_are_inspected(capsys) -> None:
    code, _, err = said(capsys, "inspect", "digits")
    assert (code, "'digits' is no file" in err) == (1, True)


def test_inspect_says_what_automatic_scaling_would_do(capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(0)
    np.savez("own.npz", X0=rng.normal(size=(20, 3)), X1=rng.normal(size=(20, 2)), y=np.arange(20) % 2)
    assert (
        "auto scaling of the data as they are: X0, X1: coordinates -> unit-view"
        in said(capsys, "inspect", "own.npz")[1]
    )
