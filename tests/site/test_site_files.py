"""What is written: one folder that stands by itself, small, with data that cannot become anything else."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import numpy as np
import pytest
from command_line import called
from hypothesis import example, given
from hypothesis import strategies as st
from site_examples import HOSTILE, METRICS, add, done, failed

from mvarena.contracts.outcome import Status
from mvarena.site.build import static_files, write_site
from mvarena.site.scripts import script_of
from mvarena.store.database import open_database


def value_in(script: str) -> object:
    """What a script hands to the pages."""
    found = re.fullmatch(r"mvarena\.put\.apply\(null,(.*)\);\n", script, re.DOTALL)
    assert found
    return json.loads(found[1])[1]


def data(folder: Path, name: str) -> object:
    return value_in((folder / "data" / f"{name}.js").read_text())


@given(st.text())
@example("</script><!-- & -->\u2028\u2029")  # which is seldom drawn
def test_any_text_comes_back_and_is_plain_ascii_without_markup(text: str) -> None:
    script = script_of("name", {"a": text, text: [text]})
    assert script.isascii()
    assert not set("<>&") & set(script)
    assert value_in(script) == {"a": text, text: [text]}


def test_hostile_names_are_nowhere_as_they_are_and_told_apart(hostile_site: Path) -> None:
    for path in (hostile_site / "data").iterdir():
        assert not any(name in path.read_text() for name in HOSTILE if set("<>") & set(name)), path
    labels = data(hostile_site, "labels")
    assert len({one["label"] for one in labels["contestants"]}) == len(labels["contestants"])


def test_no_address_of_elsewhere_and_little_code(site: Path) -> None:
    code = [path for path in site.rglob("*") if path.is_file() and path.parent.name != "data"]
    assert sum(path.stat().st_size for path in code) < 1_000_000
    for path in code:
        found = set(re.findall(r"(?:https?:)?//[\w.-]+\.[a-z]{2,}", path.read_text()))
        # the name of a namespace, which nobody asks for, and links to papers, which only a reader follows
        assert found <= {"http://www.w3.org", "https://doi.org"}, path


def test_every_script_of_the_page_is_there_and_none_is_left_over() -> None:
    files = dict(static_files())
    page = files["index.html"].decode()
    named = set(re.findall(r'(?:src|href)="((?:js/|site)[^"]+)"', page))
    assert named == set(files) - {"index.html"}


def test_a_second_site_in_the_same_folder_leaves_nothing_of_the_first(tmp_path: Path) -> None:
    with open_database(tmp_path / "a.db") as db:
        add(db, "apmc", "data-a", done(np.random.default_rng(0), 0.7))
        write_site(db, tmp_path / "site")
        (tmp_path / "site" / "note.txt").write_text("mine")
        first = {path.name for path in (tmp_path / "site" / "data").iterdir()}
        write_site(db, tmp_path / "site", metrics=("acc",))
    second = {path.name for path in (tmp_path / "site" / "data").iterdir()}
    assert "points-1.js" in first
    assert "points-1.js" not in second
    assert (tmp_path / "site" / "note.txt").read_text() == "mine"


def test_every_trial_is_there_with_what_became_of_it(site: Path, study_path: Path) -> None:
    labels, trials = data(site, "labels"), data(site, "trials")
    assert sum(labels["statuses"].values()) == labels["n_trials"] == trials["n"]
    assert set(labels["statuses"]) == {"DONE", "TIMEOUT", "FAILED", "SKIPPED"}
    assert [one["name"] for one in labels["metrics"]] == ["nmi", "acc", "entropy"]
    assert set(METRICS) == {one["name"] for one in labels["metrics"]}


@pytest.mark.slow
def test_a_study_says_a_command_that_plans_its_trials(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the page offers to copy plans exactly what is stored, parameters and all."""
    code, _, err = called(
        capsys, "run", "--algo", "toy-quick", "concat", "--data", "toy-blobs", "--repeats", "2", "--restarts", "2",
        "--rates", "0.1,0.3", "--param", "toy-quick.scale=0.5,2", "--jobs", "1", "--db", str(tmp_path / "a.db"),
    )  # fmt: skip
    assert code == 0, err
    code, out, err = called(capsys, "report", "--db", str(tmp_path / "a.db"), "--html", str(tmp_path / "site"))
    assert (code, out) == (0, f"{tmp_path / 'site' / 'index.html'}\n"), err
    (found,) = data(tmp_path / "site", "quality")["runs"]
    words = shlex.split(found["command"])
    assert words[:2] == ["mvarena", "run"]
    monkeypatch.chdir(tmp_path)  # commands are kept without the folders of files
    code, out, err = called(capsys, *words[1:], "--dry-run")
    assert code == 0, err
    assert found["n"] == 28  # with the controls
    assert re.search(r"\b28\b", out), out
    assert "0 to run" in out or "nothing" in out.lower(), out


@pytest.mark.slow
def test_html_alone_writes_the_site_alone_and_more_where_it_is_asked_for(
    study_path: Path, tmp_path: Path, capsys, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(study_path, "results.db")
    assert called(capsys, "report", "--html", "site")[:2] == (0, "site/index.html\n")
    assert not Path("mvarena-report").exists()
    code, out, _ = called(capsys, "report", "--html", "site", "--table", "ranks", "--out", "more")
    assert code == 0
    assert out.splitlines()[-1] == "site/index.html"
    assert any(path.name.startswith("table-ranks") for path in Path("more").iterdir())


def test_a_place_that_cannot_be_written_and_an_empty_database_are_one_sentence(tmp_path: Path, capsys) -> None:
    path = tmp_path / "a.db"
    with open_database(path) as db:
        add(db, "apmc", "data-a", done(np.random.default_rng(0), 0.7))
    code, _, complaint = called(capsys, "report", "--db", str(path), "--html", str(path / "site"))
    assert (code, "cannot be written" in complaint, "Traceback" in complaint) == (2, True, False)
    open_database(tmp_path / "results.db").close()
    code, _, complaint = called(capsys, "report", "--db", str(tmp_path / "results.db"), "--html", str(tmp_path / "s"))
    assert code == 2
    assert "no results" in complaint
    assert not (tmp_path / "s").exists()


def test_a_failure_is_kept_with_its_last_line_and_without_folders(tmp_path: Path) -> None:
    with open_database(tmp_path / "a.db") as db:
        add(db, "apmc", "data-a", failed(Status.FAILED, "no file /home/someone/x.mat.", "above\nat /home/someone/m.py"))
        write_site(db, tmp_path / "site")
    everything = "".join(path.read_text() for path in (tmp_path / "site" / "data").iterdir())
    assert "someone" not in everything
    assert "x.mat" in everything
    assert "m.py" in everything
    assert "above" not in data(tmp_path / "site", "trials")["error"]["values"]
