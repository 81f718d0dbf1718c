"""Releases of the arena from a run to the page, and a newcomer on the board, with a small suite of drawn data."""

from __future__ import annotations

import shutil
import sqlite3
import tomllib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest
from command_line import called, code_of
from sqlalchemy import select, update
from test_submissions import METHOD as CLUSTERER
from test_submissions import PEEK

from mvarena.arena.changes import changes_part
from mvarena.arena.parts import tuning_rows
from mvarena.arena.publish import outdated, publish, write_page
from mvarena.arena.release import coverage, keys_of_study, read_release, release_of, scores_of_suite
from mvarena.arena.submissions import describe_file
from mvarena.arena.tuning import tuning_table
from mvarena.errors import StoreError
from mvarena.store.database import open_database
from mvarena.store.descriptions import TRIALS
from mvarena.store.encoding import pack_floats
from mvarena.store.frames import fits_frame, scores_frame
from mvarena.store.read_outcomes import labellings
from mvarena.store.readonly import open_to_read
from mvarena.store.runs import runs_of
from mvarena.store.schema import attempts, conditions, methods, trials
from mvarena.store.trials import done_trials
from mvarena.study import file

pytestmark = pytest.mark.usefixtures("kept_workers")

RELEASE = ("arena", "release", "--db", "run.db", "--suite", "arena-lite")
SUITE = """
title = "A small arena"
protocol = "fair"
algo = ["concat", "sc-concat", "kernel-addition"]
controls = false
repeats = 1
restarts = 3

[[run]]
data = ["synthetic-apmc", "synthetic-apmc[view1]"]
corrupt = ["none"]

[[run]]
data = ["synthetic-apmc"]
corrupt = ["missing-even:0.3", "gaussian:10dB"]

[[run]]
data = ["synthetic-apmc"]
corrupt = ["missing-even:0.3"]
scale = ["none"]
"""
TUNED = """
title = "A small arena: tuning"
protocol = "fair"
algo = ["apmc", "daimc"]
data = ["synthetic-apmc", "synthetic-apmc[view1]"]
corrupt = ["none", "missing-even:0.5"]
controls = false
repeats = 1
restarts = 3

[[run]]
grid = "paper"

[[run]]
"""
TUNABLE = """
import numpy as np
from sklearn.cluster import KMeans


class Tuned:
    def __init__(self, n_clusters=2, noise=0.0, random_state=None):
        self.n_clusters, self.noise, self.random_state = n_clusters, noise, random_state

    def fit_predict(self, views):
        X = np.hstack(views)
        X = X + self.noise * np.random.default_rng(0).standard_normal(X.shape)
        return KMeans(self.n_clusters, n_init=1, random_state=0).fit_predict(X)
"""
METHOD = """
import numpy as np


class MyMethod:
    def __init__(self, n_clusters=2, random_state=None):
        self.n_clusters, self.random_state = n_clusters, random_state

    def fit_predict(self, views):
        return np.random.default_rng(0).integers(self.n_clusters, size=len(views[0]))
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the database of a run, of which two trials are lacking, and a release made of it."""
    home = tmp_path_factory.mktemp("arena")
    (home / "studies").mkdir()
    (home / "studies" / "arena-lite.toml").write_text(SUITE)
    (home / "studies" / "arena-lite-tuned.toml").write_text(TUNED)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file, "FOLDER", home / "studies")
        patch.chdir(home)
        patch.delenv("MVARENA_DB", raising=False)
        code_of("run", "arena-lite", "--db", "run.db", "--jobs", "1", "-q")
        code_of("results", "delete", "--db", "run.db", "--algo", "sc-concat", "--corrupt", "gaussian", "--yes")
        code_of(*RELEASE, "reports/arena", "--name", "arena-lite-1")
        yield home


def copied(folder: Path, patch: pytest.MonkeyPatch, to: Path) -> Path:
    """A copy of a folder with its studies, as the current folder."""
    shutil.copytree(folder, to)
    patch.setattr(file, "FOLDER", to / "studies")
    patch.chdir(to)
    patch.delenv("MVARENA_DB", raising=False)
    return to


@pytest.fixture
def home(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return copied(made, monkeypatch, tmp_path / "home")


@pytest.fixture(scope="module")
def renewed(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with the part on tuning, a run of another study, objectives, and a second release in place of the
    first."""
    with pytest.MonkeyPatch.context() as patch:
        folder = copied(made, patch, tmp_path_factory.mktemp("renewed") / "home")
        code_of("run", "arena-lite-tuned", "--db", "run.db", "--jobs", "1", "-q")
        code_of("run", "--algo", "concat", "--data", "synthetic-apmc", "--rates", "0.3", "0.7", "--db", "run.db", "-q")
        with closing(sqlite3.connect("run.db")) as db, db:
            db.execute("UPDATE attempts SET objective = ?", [pack_floats((2.0, 1.0))])
        code_of(*RELEASE, "reports/arena", "--name", "arena-lite-2", "--since", "reports/arena")
        return folder


@pytest.fixture
def later(renewed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return copied(renewed, monkeypatch, tmp_path / "later")


def test_a_release_is_a_database_a_card_and_a_page(home):
    release = read_release(home / "reports" / "arena")
    assert (release.name, release.suite) == ("arena-lite-1", "arena-lite")
    card = tomllib.loads((release.folder / "release.toml").read_text("utf-8"))
    assert card["versions"]["mvarena"]
    assert card["conditions"]["protocol"] == "fair"
    assert card["trials"]["planned"] >= card["trials"]["finished"] > 0
    page = (release.folder / "README.md").read_text("utf-8")
    board = (release.folder / "board.csv").read_text("utf-8").splitlines()
    first, n = board[1].partition(",")[0], len(board) - 1
    assert page.startswith(f"# By NMI over all conditions {first} leads {n} methods on 1 data source")
    assert "](board.svg)" in page
    drawn = (release.folder / "board.svg").read_text("utf-8")
    assert drawn.count("<circle ") == n
    assert "| 1 | " in page
    assert "Mean NMI by scaling" in page


def test_values_stay_and_labels_are_in_the_whole_database_that_the_card_names(home):
    release = read_release(home / "reports" / "arena")
    whole = home / "arena-lite-1.db"
    assert release.card["database"] == describe_file(whole)
    with open_to_read(home / "run.db") as run, open_to_read(release.db) as kept, open_to_read(whole) as full:
        before, after = (scores_of_suite(db, "arena-lite") for db in (run, kept))
        done = done_trials(kept)
        assert done
        assert not any(labellings(kept, trial.key) for trial in done)
        assert all(labellings(full, trial.key) for trial in done)
    values = [frame.set_index(["key", "metric"])["value"].to_dict() for frame in (before, after)]
    assert values[0] == values[1]


def test_another_whole_database_than_the_card_names_is_refused(home):
    release = read_release(home / "reports" / "arena")
    assert release.whole(home) == home / "arena-lite-1.db"
    assert release.whole(None) is None
    with (home / "arena-lite-1.db").open("ab") as file:
        file.write(b"0")
    with pytest.raises(StoreError, match="another sha256"):
        outdated(release, home)
    with pytest.raises(StoreError, match=r"the whole database of arena-lite-1 is arena-lite-1\.db"):
        release.whole(home / "none.db")


@pytest.mark.slow
def test_runs_and_trials_of_other_studies_are_left_out_and_objectives_are_in_the_whole_database_alone(later):
    for path, course in (("arena-lite-2.db", (2.0, 1.0)), ("reports/arena/results.db", ())):
        with open_to_read(path) as db:
            assert set(fits_frame(db, scores_frame(db)["key"])["objective"]) == {course}
    with open_to_read("run.db") as run, open_to_read("reports/arena/results.db") as kept:
        assert len(runs_of(run)) == 3
        assert [one.command for one in runs_of(kept)] == [runs_of(run)[0].command]
        assert set(scores_of_suite(run, "arena-lite")["key"]) == set(scores_frame(kept)["key"])


@pytest.mark.slow
def test_a_whole_database_goes_on_and_is_released_again_in_place_of_another(later, capsys):
    shutil.copy("arena-lite-1.db", "again.db")
    assert "intact" in called(capsys, "results", "check", "--db", "again.db")[1]
    assert called(capsys, "run", "arena-lite", "--db", "again.db", "--jobs", "1", "-q")[0] == 0
    made = ("arena", "release", "reports/arena", "--db", "again.db", "--suite", "arena-lite", "--name", "arena-lite-3")
    assert called(capsys, *made)[0] == 0
    release = read_release(later / "reports" / "arena")
    assert release.card["trials"]["not-run"] == 0
    assert not {"changes.csv", "tuning.csv"} & {path.name for path in release.folder.iterdir()}
    assert "What changed since" not in (release.folder / "README.md").read_text("utf-8")


def test_the_files_are_byte_equal_when_they_are_made_again_and_an_edited_one_is_found(home, capsys):
    release = read_release(home / "reports" / "arena")
    before = {path.name: path.read_bytes() for path in release.folder.iterdir()}
    made = ["README.md", "board.csv", "board.svg", "choices.csv", "coverage.csv"]
    for name in made:
        (release.folder / name).unlink()
    assert set(made) - set(write_page(release)) == {"choices.csv"}, "it needs labels"
    assert sorted(write_page(release, home)) == ["README.md", "choices.csv"]
    assert {path.name: path.read_bytes() for path in release.folder.iterdir()} == before
    page = release.folder / "README.md"
    page.write_text(page.read_text("utf-8").replace("| 1 | ", "| 2 | ", 1), "utf-8")
    code, out, _ = called(capsys, "arena", "page", "reports/arena", "--check")
    assert (code, "README.md" in out) == (1, True)


def test_coverage_tells_what_was_not_run(home):
    with open_database(home / "run.db") as db:
        known = coverage(db, "arena-lite")
        keys = keys_of_study(db, "arena-lite")
    assert set(known["key"]) <= keys
    assert set(known["part"]) == {
        "unchanged data",
        "missing-even",
        "noise and outliers",
        "other scalings",
        "deleted from the database",
    }
    assert known.loc[known["part"] == "other scalings", "end"].eq("finished").all()
    assert set(known.loc[known["end"] == "not run", "part"]) == {"deleted from the database"}


def ended(db, name, **status):
    """Let the stored trials of an algorithm under these corruptions have ended so."""
    with db.write() as connection:
        for corruption, end in status.items():
            where = methods.c.name == name, conditions.c.corruption == corruption.replace("_", "-")
            chosen = select(trials.c.id).select_from(TRIALS).where(*where)
            connection.execute(update(attempts).where(attempts.c.trial.in_(chosen)).values(status=end))


def test_what_was_skipped_after_a_limit_on_the_data_as_they_are_counts_as_over_it_and_no_other_skip(home):
    with open_database(home / "run.db") as db:
        ended(db, "concat", none="TIMEOUT", missing_even="SKIPPED", gaussian="SKIPPED")
        ended(db, "kernel-addition", gaussian="TIMEOUT", missing_even="SKIPPED")
        known = coverage(db, "arena-lite")
    assert set(known.loc[known["algorithm"] == "concat", "end"]) == {"over the limit"}
    other = known[known["algorithm"] == "kernel-addition"].groupby("corruption")["end"].unique().map(list).to_dict()
    assert other == {"none": ["finished"], "missing-even": ["refused"], "gaussian": ["over the limit"]}


def test_a_newcomer_is_run_alone_and_placed(home, capsys):
    Path("mine.py").write_text(METHOD)
    code, out, err = called(capsys, "arena", "run", "mine.py:MyMethod", "--lite", "--db", "mine.db", "--jobs", "1")
    assert code == 0, err
    assert "By NMI my-method is at place" in out
    assert "of 4" in out
    assert ">" in out
    with open_to_read(home / "mine.db") as db:
        own = scores_of_suite(db, "arena-lite")
    assert set(own["algorithm"]) == {"my-method"}
    assert set(own["scaling"]) == {"auto"}, "other scalings rank nobody"
    with open_to_read(home / "reports" / "arena" / "results.db") as db:
        assert "my-method" not in set(scores_of_suite(db, "arena-lite")["algorithm"])


def test_a_newcomer_that_fails_is_last_and_the_exit_code_says_so(home, capsys):
    Path("fails.py").write_text(METHOD.replace("class MyMethod", "class Fails").replace("return", "raise ValueError #"))
    code, out, _ = called(capsys, "arena", "run", "fails.py:Fails", "--lite", "--db", "fails.db", "--jobs", "1")
    assert code == 1
    assert "It finished 0 of " in out


def test_a_newcomer_that_reads_classes_is_found(home, capsys):
    Path("peeks.py").write_text(CLUSTERER.format(peek=PEEK))
    code, out, err = called(capsys, "arena", "run", "peeks.py:ToyMethod", "--lite", "--db", "peeks.db", "--jobs", "1")
    assert code == 1
    assert "toy-method is at place" in out
    assert "toy-method reads classes. On " in err


def test_changes_from_one_release_to_another(home, capsys):
    shutil.copytree("reports/arena", "older/arena")
    code, out, err = called(capsys, "arena", "changes", "older/arena", "reports/arena")
    assert code == 0, err
    assert "## What changed since arena-lite-1" in out
    assert "No method is new." in out
    assert "No method's mean NMI differs" in out


@pytest.mark.slow
def test_a_release_that_names_an_earlier_one_tells_the_changes(later, capsys):
    page = Path("reports/arena/README.md").read_text("utf-8")
    changed = pd.read_csv("reports/arena/changes.csv")
    assert changes_part(changed, "arena-lite-1") in page
    assert len(changed) > 1
    assert (changed["place_before"] == changed["place_after"]).all()
    assert called(capsys, "arena", "page", "reports/arena", "--check", "--whole", ".")[0] == 0


def test_without_a_release_of_the_suite_what_to_name_is_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("mvarena.arena.release._installed", lambda: iter(()))
    with pytest.raises(StoreError, match="--release FOLDER"):
        release_of("arena")


def test_a_release_that_is_refused_leaves_the_files_of_the_earlier_one(tmp_path):
    folder, results = tmp_path / "arena", tmp_path / "other.db"
    folder.mkdir()
    (folder / "tuning.csv").write_text("kept")
    open_database(results).close()
    with pytest.raises(StoreError, match="holds no run of the suite"):
        publish(results, folder, "arena-lite-9", "arena-lite")
    assert (folder / "tuning.csv").read_text() == "kept"


@pytest.mark.parametrize(
    ("card", "words"),
    [
        (None, "cannot be read"),
        ("name = 1", "needs a name"),
        ('name = "a"\nsuite = "other"', "is one of arena, arena-lite"),
        ('name = "a"\nsuite = "arena"', "holds no results.db"),
    ],
)
def test_a_folder_that_is_no_release_is_refused(tmp_path, card, words):
    if card is not None:
        (tmp_path / "release.toml").write_text(card)
    with pytest.raises(StoreError, match=words):
        read_release(tmp_path)


def test_a_release_of_another_suite_is_refused(home):
    with pytest.raises(StoreError, match="with --lite"):
        release_of("arena", home / "reports" / "arena")


def test_data_of_other_content_are_refused(home, capsys):
    with open_database("reports/arena/results.db") as db, db.write() as connection:
        connection.exec_driver_sql("UPDATE datasets SET content = 'other' || content")
    Path("mine.py").write_text(METHOD)
    code, _, err = called(capsys, "arena", "run", "mine.py:MyMethod", "--lite", "--db", "mine.db")
    assert code == 2
    assert "not the data of arena-lite-1" in err


def test_a_newcomer_with_a_grid_gets_three_columns(home, capsys):
    Path("mine.py").write_text(TUNABLE)
    words = ("arena", "run", "mine.py:Tuned", "--lite", "--db", "mine.db", "--jobs", "1", "--grid", "noise=1,30")
    code, out, err = called(capsys, *words)
    assert code == 0, err
    assert "By NMI tuned is at place" in out
    assert "chosen without classes" in out
    (row,) = [line.split() for line in out.splitlines() if line.startswith("tuned") and len(line.split()) == 8]
    default, best, points = float(row[1]), float(row[4]), int(row[6])
    assert default <= best
    assert points == 3, "complete data of two sets, and half incomplete data of the one with two views"
    code, _, err = called(capsys, *words[:-1], "noise")
    assert (code, "such as lam=0.1,1,10" in err) == (2, True)


@pytest.mark.slow
def test_the_part_on_tuning_has_a_section_and_rows_beside_a_newcomer(later, capsys):
    release = read_release(later / "reports" / "arena")
    rows = pd.read_csv(release.folder / "tuning.csv")
    assert list(rows["method"]) == ["apmc", "daimc"]
    assert list(rows["points"]) == [2, 3], "apmc takes two views or more"
    assert (rows["best"] >= rows[["default", "chosen"]].max(axis=1)).all()
    page = (release.folder / "README.md").read_text("utf-8")
    section = page.partition("**What tuning gives**")[2].partition("</details>")[0]
    assert "Over 2 methods with a grid, parameters chosen without classes (by stability)" in section
    assert tuning_rows(tuning_table(rows)) in section
    Path("mine.py").write_text(TUNABLE)
    words = ("arena", "run", "mine.py:Tuned", "--lite", "--db", "mine.db", "--jobs", "1", "--grid", "noise=1,30")
    code, out, err = called(capsys, *words)
    assert code == 0, err
    beside = [line.split()[0] for line in out.partition("chosen without classes")[2].splitlines() if line.strip()]
    assert {"tuned", "apmc", "daimc"} <= set(beside)
