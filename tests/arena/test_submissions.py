"""Submissions: written, verified, merged; and each kind of doctored one is refused with a sentence that says why."""

from __future__ import annotations

import shutil
import sqlite3
import tomllib
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import tomli_w

from mvarena.arena.one_method import blocks_for
from mvarena.arena.submissions import CARD, DATABASE, STUDY, describe_file, read_submission, submit, truth_metrics
from mvarena.arena.verify import Refused, scores_here, verify
from mvarena.cli.main import main
from mvarena.contracts.outcome import Outcome, Score, Status
from mvarena.contracts.trial import Trial
from mvarena.engine.execute import execute
from mvarena.engine.pending import codes_of
from mvarena.errors import InvalidSetting, MvarenaError, StoreError
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import open_database
from mvarena.store.read_outcomes import outcome_of
from mvarena.store.readonly import open_to_read
from mvarena.store.trials import done_trials
from mvarena.store.write_outcomes import record
from mvarena.study.file import study_at
from mvarena.study.plan import plan_blocks

pytestmark = pytest.mark.usefixtures("kept_workers")

TOY = """\
title = "toy"
data = ["synthetic-apmc", "synthetic-emvc"]
corrupt = "missing-even"
rates = [0.1, 0.5]
repeats = 1
restarts = 3
"""
METHOD = '''
"""A method that clusters in milliseconds, and refuses data of which much is missing."""
import gc
import numpy as np
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.data import MultiViewData


class ToyMethod(MultiViewClusterer):
    columns: int = 3

    def solve(self, data, n_clusters):
        if data.mask.mean() < 0.8:
            raise ValueError("too much is missing")
        {peek}
        views = [np.where(data.mask[:, [i]], view.matrix, 0) for i, view in enumerate(data.views)]
        return Representation(embedding=np.hstack([matrix[:, : self.columns] for matrix in views]))
'''
PEEK = """for one in gc.get_objects():
            if isinstance(one, MultiViewData) and one.labels is not None and one.n_samples == data.n_samples:
                return Representation(labels=one.labels)"""
Change = Callable[[Trial, Outcome], Outcome | None]


def _as_it_is(_: Trial, outcome: Outcome) -> Outcome | None:
    return outcome


def _submitted(folder: Path, peek: str = "pass", change: Change = _as_it_is) -> Path:
    """The submission of a method and a study that are written into the folder, with the database of their trials and
    another, executed in this process."""
    (folder / "toy_method.py").write_text(METHOD.format(peek=peek))
    (folder / "toy.toml").write_text(TOY)
    method, catalog = f"{folder / 'toy_method.py'}:ToyMethod", installed_catalog()
    with open_database(folder / "run.db") as db:
        planned = plan_blocks(blocks_for(study_at(folder / "toy.toml"), method, catalog), catalog).trials
        for trial in (*planned, replace(planned[0], seed=99)):
            outcome = replace(execute(trial, catalog), source_hash=codes_of([trial], catalog)[trial.algorithm])
            if (changed := change(trial, outcome)) is not None:
                record(db, trial, changed)
    with open_to_read(folder / "run.db") as db:
        return submit(db, str(folder / "toy.toml"), method, folder / "submissions", catalog).folder


@pytest.fixture(scope="session")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a true submission of four trials, of which two failed."""
    folder = tmp_path_factory.mktemp("newcomer")
    _submitted(folder)
    return folder


@pytest.fixture
def copied(newcomer: Path, tmp_path: Path) -> Path:
    """A copy of the true submission, to be doctored."""
    return Path(shutil.copytree(newcomer / "submissions/toy-method/toy", tmp_path / "submission"))


def _verified(folder: Path) -> int:
    return verify(folder, installed_catalog(), sample=4, seed=1, jobs=1).again


def _doctor(folder: Path, *statements: str) -> None:
    """Change the database and give the card the digest of what is there then, as a submitter could."""
    with closing(sqlite3.connect(folder / DATABASE)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    _reword(folder, database=describe_file(folder / DATABASE))


def _reword(folder: Path, **values: object) -> None:
    (folder / CARD).write_text(tomli_w.dumps(tomllib.loads((folder / CARD).read_text()) | values))


def test_a_true_submission_is_verified_and_says_when_it_was_run_again(copied: Path) -> None:
    before = read_submission(copied).card
    assert sorted(path.name for path in copied.iterdir()) == [DATABASE, STUDY, CARD, "toy_method.py"]
    assert (before["method"], before["trials"]) == ("toy-method", 4)
    assert _verified(copied) == 4
    assert read_submission(copied).card["run-again"]["trials"] == 4


def test_of_each_trial_the_counted_restart_stays(copied: Path, newcomer: Path) -> None:
    with open_to_read(copied / DATABASE) as db, open_database(newcomer / "run.db") as whole:
        done = done_trials(db)
        assert len(done) == 2
        for trial in done:
            kept, ran = outcome_of(db, trial.key), outcome_of(whole, trial.key)
            assert kept is not None
            assert ran is not None
            assert [one.labels.tolist() for one in kept.labellings] == [ran.counted.labels.tolist()]


def test_the_commands_submit_verify_merge(newcomer: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["results", "submit", str(newcomer / "toy.toml"), "--algo", f"{newcomer / 'toy_method.py'}:ToyMethod",
          "--db", str(newcomer / "run.db"), "--out", str(tmp_path)])  # fmt: skip
    assert "4 trials of toy-method" in capsys.readouterr().out
    folder = tmp_path / "toy-method" / "toy"
    main(["results", "verify", str(folder), "--sample", "3", "--seed", "4", "--jobs", "1"])
    assert "4 trials of toy-method, 3 run again" in capsys.readouterr().out
    main(["results", "merge", str(folder), "--db", str(tmp_path / "all.db")])
    assert "4 trials added" in capsys.readouterr().out
    _doctor(folder, f"UPDATE scores SET value = 1 WHERE {BY.format('nmi')}")
    with pytest.raises(SystemExit, match="1"):
        main(["results", "verify", str(folder), "--sample", "3", "--jobs", "1"])
    assert "Refused: synthetic-" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda _, outcome: outcome if outcome.status is Status.DONE else None, r"2 trials of 4 .*mvarena run"),
        (lambda _, outcome: replace(outcome, source_hash=outcome.source_hash[:-1] + "x"), "--rerun stale"),
    ],
    ids=["missing trials", "other code"],
)
def test_missing_trials_and_results_of_other_code_cannot_be_submitted(
    change: Change, words: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidSetting, match=words):
        _submitted(tmp_path, change=change)
    assert not (tmp_path / "submissions").exists()


def test_a_method_of_several_files_cannot_be_submitted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "helper.py").write_text("WIDTH = 3\n")
    monkeypatch.setitem(globals(), "METHOD", METHOD.replace("import gc", "import gc, helper"))
    with pytest.raises(InvalidSetting, match="other files of its folder"):
        _submitted(tmp_path)


# Doctored ones: the digest of the database fits wherever a submitter could make it fit.

DONE = "attempt IN (SELECT id FROM attempts WHERE status = 'DONE')"
BY = "metric IN (SELECT id FROM metrics WHERE name = '{}')"
IN_THE_FILES: dict[str, tuple[Callable[[Path], None], str]] = {
    "a score is raised": (
        lambda folder: _doctor(folder, f"UPDATE scores SET value = value + 0.05 WHERE {BY.format('nmi')}"),
        r"its nmi is .*, and its labels have",
    ),
    "a score is missing": (
        lambda folder: _doctor(folder, f"DELETE FROM scores WHERE {BY.format('acc')}"), "its acc is missing",
    ),
    "a trial is missing": (
        lambda folder: _doctor(folder, *_without("SELECT trial FROM attempts WHERE status = 'DONE' LIMIT 1")),
        "It lacks synthetic-",
    ),
    "attempts are missing": (
        lambda folder: _doctor(folder, "DELETE FROM attempts WHERE status = 'FAILED'"), "it was not run",
    ),
    "a trial has another description": (
        lambda folder: _doctor(folder, "UPDATE conditions SET corruptions = replace(corruptions, '0.5', '0.7')"),
        "its key is not that of its description",
    ),
    "labels are missing": (
        lambda folder: _doctor(folder, f"DELETE FROM labellings WHERE {DONE}"), "has no cluster index",
    ),
    "it was run by other code": (
        lambda folder: _doctor(folder, "UPDATE texts SET text = text || '0' WHERE id IN (SELECT code FROM attempts)"),
        "run by other code",
    ),
    "the card names other code": (lambda folder: _reword(folder, code="5:0000"), "other code than its trials"),
    "the database was changed later": (
        lambda folder: (folder / DATABASE).write_bytes((folder / DATABASE).read_bytes() + b"\0"), "another sha256",
    ),
    "the method was changed": (
        lambda folder: (folder / "toy_method.py").write_text(METHOD.format(peek="n_clusters += 1")),
        "its card says toy-method",
    ),
    "the study was changed": (
        lambda folder: (folder / STUDY).write_text(TOY.replace("[0.1, 0.5]", "[0.1]")), "is none of its study",
    ),
    "the study names a file": (
        lambda folder: (folder / STUDY).write_text(TOY.replace('"synthetic-emvc"', f'"{folder}/own.csv"')),
        "names files|own.csv",
    ),
    "the database has a table of its own": (
        lambda folder: _doctor(folder, "CREATE TABLE other (value)"), "other",
    ),
    "the database is none": (
        lambda folder: ((folder / DATABASE).write_text("no database"),
                        _reword(folder, database=describe_file(folder / DATABASE)))[1], "results.db",
    ),
    "the card lacks the method": (
        lambda folder: (folder / CARD).write_text("format = 2\n"), "method, version, target",
    ),
    "the card names a file elsewhere": (
        lambda folder: _reword(folder, target="../toy_method.py:ToyMethod"), "has no file",
    ),
    "the database is a link": (lambda folder: _link(folder / DATABASE), "has no file"),
}  # fmt: skip


def _without(trials: str) -> list[str]:
    own = "attempt IN (SELECT id FROM attempts WHERE trial IN (SELECT trial FROM gone))"
    return [
        f"CREATE TEMP TABLE gone AS {trials}",
        *(f"DELETE FROM {table} WHERE {own}" for table in ("scores", "labellings")),
        *(f"DELETE FROM {table} WHERE trial IN (SELECT trial FROM gone)" for table in ("attempts", "names")),
        "DELETE FROM trials WHERE id IN (SELECT trial FROM gone)",
    ]


def _link(path: Path) -> None:
    path.rename(path.with_suffix(".other"))
    path.symlink_to(path.with_suffix(".other"))


@pytest.mark.parametrize("kind", IN_THE_FILES)
def test_a_doctored_submission_is_refused(kind: str, copied: Path) -> None:
    change, sentence = IN_THE_FILES[kind]
    change(copied)
    with pytest.raises(MvarenaError, match=sentence):
        verify(copied, installed_catalog(), sample=1, seed=1, jobs=1)


def _classes(trial: Trial, outcome: Outcome) -> Outcome:
    """The classes as labels, with the scores that these have."""
    if outcome.truth is None or outcome.status is not Status.DONE:
        return outcome
    catalog = installed_catalog()
    scores = scores_here([outcome.truth] * len(outcome.labellings), outcome.truth, catalog)
    versions = {name: spec.version for name, spec in truth_metrics(catalog).items()}
    return replace(
        outcome,
        labellings=tuple(replace(one, labels=outcome.truth) for one in outcome.labellings),
        scores=tuple(Score(name, versions[name], values[0]) for name, values in scores.items()),
    )


def _hidden_as(status: Status) -> Change:
    """A poor result as a failure."""

    def hidden(trial: Trial, outcome: Outcome) -> Outcome:
        none = {"labellings": (), "scores": (), "objective": np.zeros(0), "reason": "it failed"}
        return replace(outcome, status=status, **none) if outcome.status is Status.DONE else outcome

    return hidden


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (_classes, "its labels are others here"),
        (_hidden_as(Status.FAILED), "it is FAILED there and DONE here"),
    ],
)
def test_results_that_do_not_come_out_again_are_refused(change: Change, sentence: str, tmp_path: Path) -> None:
    folder = _submitted(tmp_path, change=change)
    with pytest.raises(Refused, match=sentence):
        _verified(folder)


@pytest.mark.slow
def test_trials_whose_end_depends_on_the_machine_are_not_run_again(tmp_path: Path) -> None:
    """Of four trials two fail everywhere."""
    assert _verified(_submitted(tmp_path, change=_hidden_as(Status.TIMEOUT))) == 2


@pytest.mark.slow
def test_a_method_that_reads_classes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="toy-method reads classes: on synthetic-"):
        _verified(_submitted(tmp_path, PEEK))


def test_a_submission_of_another_study_than_asked_for_is_refused(copied: Path) -> None:
    with pytest.raises(Refused, match="is not quick"):
        verify(copied, installed_catalog(), sample=1, seed=1, study="quick")


def test_a_folder_without_a_card_is_none(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is no submission"):
        read_submission(tmp_path)
