"""`mvarena data`: what is at hand, and what files of one's own hold."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from command_line import called
from rich.console import Console

from mvarena.cli.data import print_datasets
from mvarena.registry.catalog import installed_catalog
from mvarena.study.sources import load_source, source_from_text


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MVARENA_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("MVARENA_DATA", raising=False)


def said(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    """The exit code, the output and the complaints of `mvarena data ...`."""
    return called(capsys, "data", *args)


def test_the_list_says_what_each_data_set_needs(capsys) -> None:
    code, out, err = said(capsys, "list", "--json")
    entries = {entry["name"]: entry for entry in json.loads(out)}
    assert (code, err) == (0, "")
    assert entries["digits"] | {"terms": ""} == {
        "name": "digits", "state": "ready", "size": "1.8 MB", "terms": "", "samples": 2000, "clusters": 10,
        "acc_of_one_cluster": 0.1, "missing": [], "views": ["fou", "fac", "kar", "pix", "zer", "mor"],
    }  # fmt: skip
    assert entries["3sources-complete"]["acc_of_one_cluster"] == pytest.approx(56 / 169)
    assert entries["ccv"]["acc_of_one_cluster"] is None  # nothing says how large its classes are
    assert (entries["flower17"]["state"], len(entries["flower17"]["missing"])) == ("manual", 2)
    assert (entries["toy-drawn"]["state"], entries["toy-drawn"]["size"]) == ("drawn at random", "")
    assert (entries["toy-plain"]["state"], entries["toy-plain"]["views"]) == ("ready", ["a", "b"])
    code, out, _ = said(capsys, "list")
    assert (code, len(out.splitlines()) > len(entries)) == (0, True)


def test_of_a_study_what_can_be_had_is_fetched_and_the_rest_listed(capsys, monkeypatch, tmp_path) -> None:
    (tmp_path / "mine.toml").write_text(
        'algo = "concat"\n[[run]]\ndata = ["toy-drawn", "flower17"]\n[[run]]\ndata = ["toy-plain[a]"]'
    )
    monkeypatch.setattr("mvarena.study.file.FOLDER", tmp_path)
    code, out, _ = said(capsys, "fetch", "mine")
    assert code == 1
    *listed, counts, last = out.splitlines()
    assert counts == "2 of 3 data sets of mine are available."
    assert last == "To run it on these: mvarena run mine"
    assert len(listed) == 1
    assert "'flower17' are not available" in listed[0]


def test_data_files_are_verified_imported_and_found(capsys, tmp_path) -> None:
    assert "digits: digits.npz: ok" in said(capsys, "verify", "digits")[1]
    code, out, _ = said(capsys, "verify", "flower17")
    assert code == 1
    assert "not available" in out
    code, _, err = said(capsys, "import", "flower17", str(tmp_path))
    assert code == 2
    assert "none of the files of 'flower17'" in err
    code, _, err = said(capsys, "path", "3sources")
    assert code == 2
    assert "3sources_bbc.mtx" in err
    code, out, _ = said(capsys, "path", "digits[fou]")
    assert (code, out.strip().endswith("digits.npz")) == (0, True)
    Path("a[1],b.csv").write_text("1,2\n3,4\n")
    code, out, _ = said(capsys, "path", "a[1],b.csv")
    assert (code, out.strip()) == (0, str(Path("a[1],b.csv").absolute()))
    for command in ("path", "fetch"):
        assert said(capsys, command, "toy-drawn")[1].strip() == "toy-drawn needs no files."
    assert "needs no files" in said(capsys, "import", "toy-drawn", ".")[2]


def test_convert_replaces_a_file_only_when_told_to_and_never_its_input(capsys) -> None:
    np.savez("x.npz", X1=np.arange(12.0).reshape(6, 2), X2=np.eye(6)[:, :3], y=[0, 0, 1, 1, 2, 2])
    before = Path("x.npz").read_bytes()
    Path("y.npz").write_bytes(b"of somebody")
    Path("again.npz").symlink_to("x.npz")
    for words, says in (
        (["y.npz"], "exists already; name another file, or add --force"),
        (["x.mat"], "must end in .npz"),
        (["again.npz", "--force"], "is the input file"),
        ([".", "--force"], "is a folder"),
    ):
        code, _, err = said(capsys, "convert", "x.npz", *words)
        assert (code, says in err) == (2, True), err
    assert (Path("x.npz").read_bytes(), Path("y.npz").read_bytes()) == (before, b"of somebody")
    assert said(capsys, "convert", "x.npz", "y.npz", "--force")[0] == 0
    inspected = said(capsys, "inspect", "y.npz")[1]
    assert "it is in mvarena's form: 2 views of 6 samples" in inspected
    assert "scaling (auto), with the kind of each view: X1: amounts -> unit-view; X2: " in inspected
    assert "'digits' is not a file" in said(capsys, "inspect", "digits")[2]
    assert len({load_source(name, installed_catalog()).fingerprint for name in ("x.npz", "y.npz")}) == 1


# what a terminal obeys, what turns the text around it, bytes that are no text, two lines, and a long name
HOSTILE = os.fsdecode(b"a\x1b[2J\xe2\x80\xaeb\xff\xfe\nn" + b"n" * 220 + b".npz")


@pytest.mark.slow
def test_a_file_of_any_name_is_read_and_shown_without_harm(capsys) -> None:
    try:
        np.savez(Path(HOSTILE), X1=np.arange(12.0).reshape(6, 2), y=[0, 0, 1, 1, 2, 2])
    except OSError:
        pytest.skip("this file system has no such names")
    study = ["--algo", "concat", "--corrupt", "none", "--repeats", "1", "--restarts", "1", "--db", "r.db"]
    for command in (
        ["data", "inspect", HOSTILE],
        ["run", "--data", HOSTILE, *study],
        ["report", "--db", "r.db", "--out", "r"],
    ):
        code, out, err = called(capsys, *command)
        assert code == 0, err
        assert "\x1b" not in out + err
        assert "\u202e" not in out + err
        assert (out + err).encode("utf-8")
    assert any(path.suffix == ".md" for path in Path("r").iterdir())
    assert os.fsencode(HOSTILE) in os.fsencode(str(source_from_text(HOSTILE).paths[0]))


def test_a_message_about_a_hostile_name_is_text(capsys) -> None:
    for command in (["data", "inspect", "\x1b[2J.npz"], ["show", "\x1b[2J"], ["list", "\x1b[2J"], ["\x1b[2J"]):
        code, out, err = called(capsys, *command)
        assert code in (1, 2)
        assert "\x1b" not in out + err
        assert "\\x1b[2J" in err


@pytest.mark.parametrize("width", [60, None])
def test_the_table_of_data_sets_cuts_no_name_and_no_number(capsys, monkeypatch, width: int | None) -> None:
    entries = json.loads(said(capsys, "list", "--json")[1])
    console = Console(width=width or 500, force_terminal=width is not None, color_system=None)
    monkeypatch.setattr("rich.console.Console", lambda **_: console)
    print_datasets(entries)
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split() == ["name", "state", "size", "n", "K", "V", "ACC1", "terms"]
    for entry, line in zip(entries, lines, strict=True):
        assert line.startswith(f"{entry['name']} ")
        assert f" {entry['state']} " in line
        assert entry["samples"] is None or f" {entry['samples']} " in line
        acc = entry["acc_of_one_cluster"]
        assert f" {'-' if acc is None else format(100 * acc, '.1f')} " in f"{line} "
        if width is None:
            assert line.rstrip().endswith(entry["terms"])
        else:
            assert len(line) <= max(width, 80)


def test_a_data_set_is_shown_with_its_size_and_terms(capsys) -> None:
    wanted = {
        "digits": ("samples: 2000", "clusters: 10", "acc of one cluster: 0.1\n", "fou (76)", "terms: CC BY 4.0"),
        "digits[fou,fac]": (
            "samples: 2000",
            "acc of one cluster: 0.1\n",
            "views: fou (76), fac (216)\n",
            "terms: CC BY 4.0",
        ),
        "toy-drawn": ("samples: 30", "clusters: 3", "a (2), b (2)", "terms: none: it is drawn at random"),
        "toy-plain": ("samples: 30", "a (2), b (2)", "terms: not stated"),
        "toy-blobs": ("samples: 30", "acc of one cluster: 0.3333\n"),
    }
    for name, parts in wanted.items():
        code, out, err = called(capsys, "show", name)
        assert (code, err) == (0, "")
        assert [part for part in parts if part not in out] == []
        # toy-drawn has other classes in each draw, toy-plain has none
        assert ("acc of one cluster" in out) == (name not in ("toy-drawn", "toy-plain"))
