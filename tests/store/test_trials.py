"""What a later metric is asked for: every trial that is done, and those that hold its scores already."""

from __future__ import annotations

from dataclasses import replace

from store_examples import example_outcome, example_trial

from mvarena.contracts.outcome import Score, Status
from mvarena.contracts.source import Source
from mvarena.store.database import Database
from mvarena.store.trials import done_trials, register, scored_keys
from mvarena.store.write_outcomes import add_scores, record

ACC = (Score("acc", "1", 0.5),)


def test_scored_are_those_with_that_metric(db: Database) -> None:
    record(db, example_trial(0), example_outcome(scores=ACC))
    record(db, example_trial(1), example_outcome(scores=(Score("nmi", "1", 0.5),)))
    record(db, example_trial(2), example_outcome(scores=()))
    assert scored_keys(db, "acc", "1") == {example_trial(0).key}


def test_a_score_of_another_version_of_the_metric_does_not_count(db: Database) -> None:
    record(db, example_trial(), example_outcome(scores=ACC))
    assert scored_keys(db, "acc", "2") == set()
    add_scores(db, example_trial().key, [Score("acc", "2", 0.6)])
    assert scored_keys(db, "acc", "2") == {example_trial().key}
    assert scored_keys(db, "acc", "1") == set()


def test_the_scores_of_an_attempt_that_another_followed_do_not_count(db: Database) -> None:
    record(db, example_trial(), example_outcome(Status.INTERRUPTED, scores=ACC))
    assert scored_keys(db, "acc", "1") == {example_trial().key}
    record(db, example_trial(), example_outcome(scores=()))
    assert scored_keys(db, "acc", "1") == set()


def test_only_what_is_done_has_labels_to_score(db: Database) -> None:
    for repeat, status in enumerate(Status):
        record(db, example_trial(repeat), example_outcome(status))
    done = list(Status).index(Status.DONE)
    assert [trial.key for trial in done_trials(db)] == [example_trial(done).key]


def test_a_trial_that_failed_before_it_was_done_comes_once(db: Database) -> None:
    for replaces, status in enumerate((Status.FAILED, Status.DONE)):
        record(db, example_trial(), example_outcome(status), replaces)
    (found,) = done_trials(db)
    assert (found.key, found.identity) == (example_trial().key, example_trial().identity())


def test_only_the_data_sets_asked_for_under_any_of_their_names(db: Database) -> None:
    one, other = example_trial(), named(example_trial(content="beef"), "handwritten")
    for trial in (one, other):
        record(db, trial, example_outcome())
    register(db, [named(other, "hw")])
    assert [found.key for found in done_trials(db, datasets=["hw"])] == [other.key]
    assert [found.key for found in done_trials(db, datasets=["hw", "handwritten"])] == [other.key]
    assert len(done_trials(db)) == 2, "each once, whatever it is called"
    assert done_trials(db, datasets=["hw"])[0].source == Source(dataset="digits", name="hw")
    assert done_trials(db, datasets=[]) == []


def named(trial, name):
    return replace(trial, source=Source(dataset="digits", name=name))
