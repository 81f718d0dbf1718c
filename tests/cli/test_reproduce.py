"""`mvarena reproduce`, with a small paper of our own."""

from __future__ import annotations

import shutil
import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path

import pytest

from mvarena.cli import reproduce
from mvarena.cli.main import main
from mvarena.papers import catalog
from mvarena.papers.catalog import read_paper
from mvarena.store.readonly import open_to_read
from mvarena.store.runs import runs_of
from mvarena.study import file
from mvarena.system.openblas import routines_in_use

STUDY = """
title = "A small study"
protocol = "fair"
corrupt = ["none"]
repeats = 2
restarts = 2

[[run]]
algo = ["concat", "kernel-addition"]
data = ["synthetic-apmc", "flower17"]
prepare = ["none"]
"""
PAPER = """
title = "Toy"
source = "Nobody, 2000"

[[table]]
name = "toy-table-1"
title = "Table 1: a toy"
study = "toy"
metrics = ["acc", "nmi"]

[table.select]
protocol = "fair"
corrupt = "none"

[[table.column]]
name = "synthetic"
data = "synthetic-apmc"

[[table.column]]
name = "Flower17"
data = "flower17"

[[table.row]]
name = "Concat"
printed = { synthetic = "**99.0 ± 1.0** / 95.0", Flower17 = "10.0 / 20.0" }
made = [{ label = "concat", algo = "concat" }]

[[table.row]]
name = "Kernels"
printed = { synthetic = "5.0 / 5.0" }
made = [{ label = "kernel-addition", algo = "kernel-addition" }]

[[figure]]
name = "toy-figure-1"
title = "Figure 1: a claim"
study = "toy"

[[figure.claim]]
says = "concat is fast"
kind = "within"
first = [{ label = "concat", algo = "concat", data = "synthetic-apmc", protocol = "fair", corrupt = "none" }]
at_most = 1000
"""


@pytest.fixture(scope="module")
def no_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("no-data")


def shelf(folder: Path, no_data: Path, patch: pytest.MonkeyPatch) -> Path:
    """The folder of pages; the shelf holds the toy paper alone."""
    (folder / "studies").mkdir()
    (folder / "studies" / "toy.toml").write_text(STUDY)
    patch.setattr(file, "FOLDER", folder / "studies")
    paper = read_paper(PAPER, "toy")
    patch.setattr(catalog, "papers", lambda: {"toy": paper})
    patch.setenv("MVARENA_DATA", str(no_data))
    patch.chdir(folder)
    return folder / "reports"


@pytest.fixture
def out(no_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return shelf(tmp_path, no_data, monkeypatch)


@pytest.fixture(scope="module")
def finished(no_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of pages after all has run."""
    with pytest.MonkeyPatch.context() as patch:
        pages = shelf(tmp_path_factory.mktemp("finished"), no_data, patch)
        run("--all")
    return pages


@pytest.fixture
def stored(out: Path, finished: Path) -> Path:
    """The folder of pages, of which all has run."""
    shutil.copytree(finished, out)
    return out


def run(*words: str) -> int:
    try:
        main(["reproduce", *words])
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def test_a_table_is_run_compared_and_written(out, capsys):
    assert run("--list") == 0
    assert "toy-figure-1" in capsys.readouterr().out
    assert run("toy-table-1", "--jobs", "1") == 0
    said = capsys.readouterr()
    assert "Not available: " in said.err
    assert "flower17" in said.err
    assert "of 4 numbers are reproduced." in said.out
    assert "Kendall's tau" in said.out
    page = (out / "toy" / "README.md").read_text()
    assert "<!-- mvarena:table toy-table-1 -->" in page
    assert "99.0 ± 1.0" in page
    assert "results list --trials --db reports/toy/results.db --algo concat --data synthetic-apmc" in page
    assert "synthetic-apmc" in (out / "toy" / "toy-table-1.csv").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("bound", ["cpu-time", "timeout"])
def test_a_trial_takes_no_more_than_the_study_allows_unless_more_is_typed(out, tmp_path, bound):
    study = tmp_path / "studies" / "toy.toml"
    lasting = STUDY.replace("restarts = 2", "restarts = 1000")  # longer than from one look at it to the next
    study.write_text(f'{bound} = "1ms"\n{lasting}')
    assert run("toy-table-1", "--jobs", "1") == 1
    with closing(sqlite3.connect(out / "toy" / "results.db")) as db, db:
        reasons = [reason for (reason,) in db.execute("SELECT DISTINCT reason FROM results WHERE status = 'TIMEOUT'")]
    assert reasons
    assert all(("of CPU time" in reason) == (bound == "cpu-time") for reason in reasons)
    study.write_text(f'timeout = "1ms"\n{STUDY}')
    assert run("toy-table-1", "--timeout", "1h") == 0


def test_what_is_stored_is_not_run_again_and_the_page_stays(stored):
    with open_to_read(stored / "toy" / "results.db") as db:
        (asked,) = runs_of(db)
    assert (asked.command, asked.how.value) == ("mvarena reproduce --all", "done")
    assert tomllib.loads(asked.study) == tomllib.loads(STUDY)
    files = [stored / "toy" / name for name in ("results.db", "README.md", "toy-table-1.csv")]
    before = [file.read_bytes() for file in files]
    assert run("--all") == 0
    assert [file.read_bytes() for file in files] == before


def test_check_sees_what_was_typed_by_hand(stored, capsys):
    page = stored / "toy" / "README.md"
    page.write_text(page.read_text().replace("Nobody, 2000.", "What was found: nothing."))
    assert run("--all", "--check") == 0, "prose between the parts is nobody's but the author's"
    page.write_text(page.read_text().replace("99.0 ± 1.0", "98.0 ± 1.0"))
    assert run("--all", "--check") == 1
    assert "README.md differs from what" in capsys.readouterr().out
    assert run("--all", "--stored") == 0
    assert "What was found: nothing." in page.read_text()
    assert "99.0 ± 1.0" in page.read_text()
    page.write_text(page.read_text() + "<!-- mvarena:table toy-table-9 --><!-- end -->")
    assert run("--all", "--stored") == 2
    assert "toy-table-9" in capsys.readouterr().err


@pytest.mark.slow
def test_quick_sees_a_result_that_comes_out_otherwise(stored, capsys):
    assert run("--quick") == 0
    assert "2 of 2 trials came out as stored" in capsys.readouterr().out
    with closing(sqlite3.connect(stored / "toy" / "results.db")) as db, db:
        db.execute("UPDATE scores SET value = value / 2 WHERE metric = (SELECT id FROM metrics WHERE name = 'acc')")
    assert run("--quick") == 1
    assert "it differs by" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize(("rounds_alike", "depends", "code"), [(True, True, 1), (False, True, 0), (False, False, 1)])
def test_quick_leaves_out_what_depends_on_rounding_where_this_processor_rounds_otherwise(
    stored, capsys, monkeypatch, rounds_alike, depends, code
):
    with closing(sqlite3.connect(stored / "toy" / "results.db")) as db, db:
        db.execute("UPDATE scores SET value = value / 2 WHERE metric = (SELECT id FROM metrics WHERE name = 'acc')")
    monkeypatch.setattr("mvarena.papers.reproduce.STORED_WITH", routines_in_use() if rounds_alike else "Z80")
    monkeypatch.setattr(
        "mvarena.papers.reproduce.depending_on_rounding",
        lambda plan, *_, **__: {trial.key for trial in plan.trials} if depends else set(),
    )
    assert run("--quick") == code
    said = capsys.readouterr().out
    assert ("points, and depends on rounding" in said) == (code == 0)
    assert ("Not counted: 2 of these 2." in said) == (code == 0)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "name a table or figure"),
        (("toy-tabel-1",), "Did you mean toy-table-1"),
        (("toy", "--all"), "either names or --all"),
        (("toy", "--stored"), "no results of toy are stored in"),
        (("toy", "--check"), "'mvarena reproduce toy' runs it"),
        (("toy", "--jobs", "0"), "at least 1"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(out, capsys, words, says):
    assert run(*words) == 2
    assert says in capsys.readouterr().err


def test_of_a_paper_whose_data_cannot_be_had_nothing_is_written(out, tmp_path, capsys):
    study = tmp_path / "studies" / "toy.toml"
    study.write_text(STUDY.replace('"synthetic-apmc", ', ""))
    assert run("--all") == 1
    assert "toy cannot be run here, and no results of it are stored." in capsys.readouterr().err
    assert not out.exists()


def test_a_checkout_is_checked_from_elsewhere(stored, monkeypatch, capsys):
    elsewhere = stored.parent / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    monkeypatch.setattr(reproduce, "__file__", str(stored.parent / "mvarena" / "cli" / "reproduce.py"))
    assert run("--all", "--check") == 0
    assert f"{stored}/toy/README.md and the files beside it agree with" in capsys.readouterr().out
