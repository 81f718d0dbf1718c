"""What was asked for: each run, when, with which trials, and what becomes of it when trials go or databases meet."""

from __future__ import annotations

import shlex
import tomllib
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_examples import example_outcome, example_trial, rows

from mvarena.contracts.trial import Trial
from mvarena.errors import StoreError
from mvarena.store.checks import problems
from mvarena.store.database import Database, open_database
from mvarena.store.filters import Filter, chosen
from mvarena.store.maintenance import removal, remove, thin, vacuum
from mvarena.store.merge import merge
from mvarena.store.runs import Asked, Ended, asked_run, kept_study, keys_of_runs, runs_of, runs_of_trial, typed_command
from mvarena.store.schema import environments, key_sets, run_keys, runs
from mvarena.store.trials import register
from mvarena.store.write_outcomes import record
from mvarena.study.file import shipped_studies, study_at

ENVIRONMENT = {"python": "3.13", "of": "the conductor"}


def run(db: Database, command: str, trials: list[Trial], *, at_once: int = 2, how: Ended = Ended.DONE) -> str:
    """A run that asks for trials and records them; its id."""
    with asked_run(db, Asked(command, "a = 1\n"), ENVIRONMENT) as under_way:
        for start in range(0, len(trials), at_once):
            some = trials[start : start + at_once]
            register(db, some)
            under_way.wants(one.key for one in some)
        for one in trials:
            record(db, one, example_outcome())
        under_way.how = how
    return under_way.id


def whole(db: Database) -> bool:
    return not [*problems(db)]


def test_a_run_is_kept_from_its_beginning_to_its_end(db: Database) -> None:
    trials = [example_trial(repeat) for repeat in range(5)]
    before = datetime.now(UTC) - timedelta(seconds=2)
    with asked_run(db, Asked("mvarena run --data \udce9\x00", "x = 1\n"), ENVIRONMENT) as under_way:
        register(db, trials[:3])
        under_way.wants(one.key for one in trials[:3])
        (found,) = runs_of(db)
        assert (found.how, found.ended, found.seconds, found.n_trials) == (Ended.UNKNOWN, None, None, 3)
        register(db, trials[3:])
        under_way.wants(one.key for one in trials[3:])
        under_way.wants([])
    (found,) = runs_of(db)
    assert found.ended is not None
    assert before < found.began <= found.ended < datetime.now(UTC) + timedelta(seconds=2)
    assert (found.id, found.how, found.n_trials) == (under_way.id, Ended.DONE, 5)
    later = replace(found, ended=found.began + timedelta(days=1, seconds=2.5))
    assert later.seconds == 86402.5
    assert (found.command, found.study) == ("mvarena run --data \\udce9\\x00", "x = 1\n")
    assert rows(db, environments) == 1
    assert {key for _, keys in keys_of_runs(db) for key in keys} == {one.key for one in trials}
    assert list(problems(db)) == []


def test_a_run_begins_at_a_place_of_its_own_where_another_is_under_way(db: Database) -> None:
    run(db, "before", [example_trial()])
    with asked_run(db, Asked("first"), {}) as first:
        assert [first.first_of(count) for count in (0, 7)] == [0, 0]
        with asked_run(db, Asked("second"), {}) as second:
            places = [one.first_of(10**6) for one in (first, second)]
            assert len(set(places)) == 2
            assert all(0 < place < 10**6 for place in places)
        assert first.first_of(7) == 0


@pytest.mark.parametrize(("error", "how"), [(KeyboardInterrupt, "interrupted"), (StoreError("full"), "error")])
def test_what_ends_a_run_early_is_kept_and_goes_on(db: Database, error: BaseException, how: str) -> None:
    with pytest.raises((KeyboardInterrupt, StoreError)), asked_run(db, Asked("mvarena run"), {}):
        raise error
    (found,) = runs_of(db)
    assert found.how == how
    assert found.ended is not None


def test_the_runs_of_a_trial_are_those_that_asked_for_it(db: Database) -> None:
    trials = [example_trial(repeat) for repeat in range(4)]
    first, second = run(db, "one", trials[:3]), run(db, "two", trials[2:], at_once=1)
    asked = [[one.id for one in runs_of_trial(db, trial.key)] for trial in trials]
    assert asked == [[first], [first], [first, second], [second]]
    assert runs_of_trial(db, "ab" * 32) == []


def test_a_command_that_is_run_again_shares_its_keys(db: Database) -> None:
    trials = [example_trial(repeat) for repeat in range(4)]
    ids = [run(db, "one", order) for order in (trials, trials, [trials[1], trials[0], trials[3], trials[2]])]
    assert (rows(db, key_sets), rows(db, run_keys)) == (2, 6)
    assert [sorted(asking) for asking, _ in keys_of_runs(db)] == [sorted(ids)] * 2


def test_runs_go_with_the_last_of_their_trials(db: Database) -> None:
    other = [example_trial(repeat, algorithm="concat") for repeat in range(2)]
    trials = [example_trial(repeat) for repeat in range(2)]
    run(db, "gone", trials, how=Ended.INTERRUPTED)
    left = run(db, "left", [trials[0], *other])
    with asked_run(db, Asked("begun"), ENVIRONMENT) as under_way:
        remove(db, removal(db, chosen(db, Filter(algorithms=("apmc",)))))
        assert [one.id for one in runs_of(db)] == [left, under_way.id], "one that has just begun stays"
    assert runs_of(db)[0].n_trials == 3, "what was asked for is not changed"
    assert {key for _, keys in keys_of_runs(db) for key in keys} == {
        trials[0].key[:16],
        *(one.key for one in other),
    }
    assert vacuum(db) == 1, "a run that asked for nothing goes"
    thin(db, ["acc"])
    assert [one.id for one in runs_of(db)] == [left]
    assert whole(db)
    remove(db, removal(db, chosen(db, Filter(algorithms=("*",)))))
    assert [rows(db, table) for table in (runs, run_keys, key_sets, environments)] == [0, 0, 0, 0]


def test_runs_come_along_when_databases_are_merged(db: Database, tmp_path: Path) -> None:
    trials = [example_trial(repeat) for repeat in range(3)]
    with open_database(tmp_path / "other.db") as other:
        run(db, "here", trials[:1])
        theirs = run(other, "there", trials)
        with asked_run(other, Asked("going on"), ENVIRONMENT) as under_way:
            under_way.wants([trials[0].key])
            assert merge(db, other).runs == 2
            assert [one.how for one in runs_of(db)] == [Ended.DONE, Ended.DONE, Ended.UNKNOWN]
            under_way.wants([trials[1].key])
        assert merge(db, other).runs == 0, "a run comes once, as it is then"
        assert [one for one in runs_of(db) if one.id == theirs] == [one for one in runs_of(other) if one.id == theirs]
        assert [one.id for one in runs_of_trial(db, trials[1].key)] == [theirs]
        assert whole(db)


# what is kept of a command and a study file: all of it as it was typed, but passwords


@given(st.lists(st.text(st.characters(exclude_characters=":@=")), max_size=4))
def test_words_are_kept_to_the_letter(words: list[str]) -> None:
    assert shlex.split(typed_command(words)) == ["mvarena", *words]


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (["run", "--data", "../d/f.mat[a,b]", "/data/x.csv"], "run --data '../d/f.mat[a,b]' /data/x.csv"),
        (["run", "--param", "m.b=1/3", "--corrupt", "A:0.3+b:9dB"], "run --param m.b=1/3 --corrupt A:0.3+b:9dB"),
        (["run", "--db", "postgresql://me:a/b@c@h/db"], "run --db postgresql://me@h/db"),
        (["run", "--db=postgresql://me@h/db?password=x&host=s"], "run '--db=postgresql://me@h/db?host=s'"),
    ],
)  # fmt: skip
def test_only_passwords_go(words: list[str], kept: str) -> None:
    assert typed_command(words) == f"mvarena {kept}"


def test_paths_in_the_working_folder_are_relative_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["run", f"{tmp_path}/study.toml", f"--labels={tmp_path}/y.csv", f"{tmp_path}/a.csv,{tmp_path}/b.csv", "/z"]
    assert typed_command(words) == "mvarena run study.toml --labels=y.csv a.csv,b.csv /z"


def test_a_study_loses_comments_and_passwords_and_nothing_else() -> None:
    document = tomllib.loads("""
        # a comment
        title = "Means and/or sums"
        db = "postgresql://me:secret@h/db"
        seed = 3
        [[run]]
        data = ["x.mat[a]", "digits"]
        param."m.py:My".beta = [0.1, "b"]
    """)
    kept = tomllib.loads(kept_study(document))
    assert kept == document | {"db": "postgresql://me@h/db"}
    assert "comment" not in kept_study(document)
    for name in shipped_studies():
        assert tomllib.loads(kept_study(study_at(name).document)) == study_at(name).document
