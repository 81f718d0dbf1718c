"""Trials as users count them."""

from __future__ import annotations

from mvarena.contracts.outcome import Status
from mvarena.registry.catalog import installed_catalog
from mvarena.study.grid import TrialCounter, count_in_words, statuses
from mvarena.study.model import Study
from mvarena.study.plan import plan_study


def test_a_method_that_is_picked_over_its_views_is_one_trial_and_ends_with_its_last_view():
    study = Study(algorithms=("bsv-kmeans", "toy-quick"), datasets=("toy-blobs",), repeats=3)
    trials = plan_study(study, installed_catalog()).trials
    counted = TrialCounter(trials)
    assert (counted.total, counted.parts) == (6, 9)
    assert count_in_words(trials) == "6 trials (9 fits: bsv-kmeans one for each view)"
    ended = []
    for trial in trials:
        counted.end([trial.key])
        ended.append(counted.ended)
    assert ended[-1] == 6
    assert sum(b - a for a, b in zip([0, *ended], ended, strict=False)) == 6
    first, second = [trial for trial in trials if trial.algorithm == "bsv-kmeans" and trial.repeat == 0]
    again = TrialCounter(trials)
    again.end([first.key])
    assert again.ended == 0
    again.end([second.key])
    assert again.ended == 1


def test_a_trial_of_which_one_part_failed_failed():
    study = Study(algorithms=("bsv-kmeans",), datasets=("toy-blobs",), repeats=1)
    one, other = plan_study(study, installed_catalog()).trials
    for order in ((one, other), (other, one)):
        found = statuses(order, {one.key: Status.DONE, other.key: Status.FAILED})
        assert list(found.values()) == [Status.FAILED]
    assert statuses([one, other], {}) == {}
