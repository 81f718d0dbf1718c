"""Which trials there are, which of them need no run, which are done, and which a plan does not use."""

from __future__ import annotations

from dataclasses import replace

import pytest
from store_examples import example_outcome, example_trial, rows

from mvarena.contracts.outcome import Score, Status
from mvarena.contracts.source import OutcomeFile, Source
from mvarena.contracts.trial import Step, Trial
from mvarena.errors import InvalidSetting
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import Database
from mvarena.store.descriptions import described_trials
from mvarena.store.filters import Filter, chosen
from mvarena.store.frames import scores_frame
from mvarena.store.schema import names, trials
from mvarena.store.trials import (
    Attempt,
    counts,
    current_attempts,
    done_trials,
    finished,
    outdated,
    register,
    scored_keys,
)
from mvarena.store.write_outcomes import add_scores, record
from mvarena.study.model import Study
from mvarena.study.plan import plan_study
from mvarena.study.protocols import PROTOCOLS

UNFINISHED = {Status.INTERRUPTED}
ACC = (Score("acc", "1", 0.5),)


def test_which_outcomes_are_final(db: Database) -> None:
    for repeat, status in enumerate(Status):
        trial = example_trial(repeat)
        record(db, trial, example_outcome(status))
        assert (trial.key in finished(db, [trial.key, "unknown"])) is (status not in UNFINISHED), status
    assert finished(db, []) == set()


def test_an_attempt_being_replaced_counts_no_more_and_the_next_one_does(db: Database) -> None:
    for repeat, status in enumerate(Status):
        trial = example_trial(repeat)
        record(db, trial, example_outcome())
        assert finished(db, [trial.key], {trial.key: 1}) == set()
        taken = record(db, trial, example_outcome(status), replaces=1)
        assert taken is (status not in UNFINISHED), "an interrupted run takes no settled attempt's place"
        assert finished(db, [trial.key]) == {trial.key}
        assert finished(db, [trial.key], {trial.key: 1}) == ({trial.key} if taken else set())


def test_the_current_attempts_are_told_in_short(db: Database) -> None:
    done, failed, new = (example_trial(repeat) for repeat in range(3))
    record(db, done, example_outcome(wall_s=2.5))
    for replaces, status in enumerate((Status.TIMEOUT, Status.INTERRUPTED)):
        record(db, failed, example_outcome(status, wall_s=7.0), replaces)
    assert current_attempts(db, [done.key, failed.key, new.key]) == {
        done.key: Attempt(1, Status.DONE, "5eed"),
        failed.key: Attempt(2, Status.INTERRUPTED, ""),
    }
    assert finished(db, [failed.key]) == set(), "an interrupted retry runs again"


def test_keys_and_trials_are_taken_in_batches(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mvarena.store.trials._BATCH", 2)
    planned = [example_trial(repeat) for repeat in range(5)]
    for _ in range(2):
        register(db, iter(planned))
    assert (rows(db, trials), rows(db, names)) == (5, 5), "registering twice changes nothing"
    assert counts(db) == {}, "what was only planned has no outcome"
    for trial in (planned[4], planned[0]):
        record(db, trial, example_outcome())
    keys = [trial.key for trial in reversed(planned)]
    assert finished(db, iter(keys)) == {planned[0].key, planned[4].key}
    assert scores_frame(db, keys=iter(keys))["repeat"].drop_duplicates().tolist() == [0, 4]


def test_the_key_is_computed_from_what_is_stored(db: Database) -> None:
    steps = (Step("missing-blocks", "1", 1 / 3, {"n_groups": 2}), Step("gaussian", "2", 10))
    special = example_trial(corruptions=steps, prepare=(Step("minmax", "1", None, {"low": -1}),), seed=-(2**62))
    register(db, [special, *(example_trial(repeat) for repeat in range(3))])
    with db.read() as connection:
        found = list(described_trials(connection))
    assert len(found) == 4
    assert all(trial.key == key for key, trial in found)


def named(trial: Trial, name: str) -> Trial:
    return replace(trial, source=Source(dataset="digits", name=name))


def test_a_done_trial_shows_under_every_name_that_studies_give_it(db: Database) -> None:
    trial = example_trial()
    same = replace(named(trial, "/data/\udcff.npz"), protocol=PROTOCOLS["mic"])
    assert same.key == trial.key
    record(db, trial, example_outcome())
    assert scores_frame(db, datasets=[same.dataset]).empty
    register(db, [same])
    assert finished(db, [same.key])
    for asked in (trial, same):
        frame = scores_frame(db, datasets=[asked.dataset], protocols=[asked.protocol.name])
        assert (len(frame), set(frame["dataset"])) == (2, {asked.dataset})
    assert len(scores_frame(db)) == 4


def test_a_seed_beyond_64_bits_is_said(db: Database) -> None:
    register(db, [example_trial(seed=2**63 - 1)])
    for seed in (2**63, -(2**63) - 1):
        with pytest.raises(InvalidSetting, match="too large"):
            register(db, [example_trial(seed=seed)])


# the trials that are done: what a later metric is computed from


def test_a_metric_is_held_in_its_version_by_the_current_attempt(db: Database) -> None:
    record(db, example_trial(0), example_outcome(scores=ACC))
    record(db, example_trial(1), example_outcome(scores=(Score("nmi", "1", 0.5),)))
    record(db, example_trial(2), example_outcome(Status.INTERRUPTED, scores=ACC))
    record(db, example_trial(2), example_outcome(scores=()))
    assert scored_keys(db, "acc", "1") == {example_trial(0).key}
    assert scored_keys(db, "acc", "2") == set()
    add_scores(db, example_trial(0).key, [Score("acc", "2", 0.6)])
    assert (scored_keys(db, "acc", "1"), scored_keys(db, "acc", "2")) == (set(), {example_trial(0).key})


def test_only_what_is_done_has_labels_to_score(db: Database) -> None:
    for repeat, status in enumerate(Status):
        record(db, example_trial(repeat), example_outcome(status))
    again = example_trial(list(Status).index(Status.FAILED))
    record(db, again, example_outcome(), replaces=1)
    found = {trial.key: trial.identity for trial in done_trials(db)}
    done = example_trial(list(Status).index(Status.DONE))
    assert found == {trial.key: trial.identity() for trial in (again, done)}


def test_done_trials_are_those_of_the_filter(db: Database) -> None:
    for algorithm, repeat in (("apmc", 0), ("apmc", 1), ("concat", 0)):
        record(db, example_trial(repeat, algorithm=algorithm), example_outcome())
    where = chosen(db, Filter(algorithms=("concat",)))
    assert [trial.identity["algorithm"][0] for trial in done_trials(db, where=where)] == ["concat"]
    assert len(done_trials(db)) == 3


def test_only_the_data_sets_asked_for_under_any_of_their_names(db: Database) -> None:
    one, other = example_trial(), named(example_trial(content="beef"), "handwritten")
    for trial in (one, other):
        record(db, trial, example_outcome())
    register(db, [named(other, "hw")])
    assert [found.key for found in done_trials(db, datasets=["hw", "handwritten"])] == [other.key]
    assert len(done_trials(db)) == 2, "each once, whatever it is called"
    assert done_trials(db, datasets=["hw"])[0].source == Source(dataset="digits", name="hw")
    assert done_trials(db, datasets=[]) == []


def test_of_two_sources_of_one_name_the_one_with_outcomes_stays(db: Database) -> None:
    plain, other = (example_trial(source=Source.of_files([file], name="mine")) for file in ("a.npz", "b.npz"))
    clinic = OutcomeFile(path="clinic.csv", time="days", event="death")
    register(db, [other])
    record(db, plain, example_outcome())
    register(db, [replace(plain, source=replace(plain.source, outcomes=clinic))])
    register(db, [plain])
    (done,) = done_trials(db)
    assert done.source.outcomes == clinic
    assert scores_frame(db)[["dataset", "metric"]].values.tolist() == [["mine", "acc"], ["mine", "nmi"]]


def test_other_versions_parameters_and_contents_are_told_and_the_rest_is_not(db: Database) -> None:
    study = Study(algorithms=("toy-quick",), datasets=("toy-blobs",), repeats=2)
    now = plan_study(study, installed_catalog()).trials
    older = [replace(trial, algorithm_version="0") for trial in now]
    renamed = [replace(trial, params={"factor": 1.0, "n_clusters": None}) for trial in now]
    elsewhere = [replace(trial, content="f" * 64, algorithm_version="7") for trial in now]
    register(db, now)
    assert outdated(db, now) == []
    register(db, [*older, *renamed, *elsewhere])
    assert outdated(db, now) == [
        "2 stored trials of toy-quick are of one with other parameters (factor, scale): they are kept, and it runs "
        "again.",
        "2 stored trials of toy-quick are of version 0, and the installed version is 1: they are kept, and it runs "
        "again.",
        "2 stored trials of toy-blobs were of other content; reports show the two separately.",
    ]
