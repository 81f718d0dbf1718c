"""Plans: sensible defaults that are said, and everything wrong said before anything runs."""

from __future__ import annotations

import tracemalloc

import pytest

from mvarena.errors import InvalidSetting, MvarenaError, UnknownName
from mvarena.registry.catalog import installed_catalog
from mvarena.study.model import Study
from mvarena.study.plan import Plan, part_of_plan, plan_study
from mvarena.study.sources import load_source, source_from_text


def plan(**changes) -> Plan:
    study = {"algorithms": ("toy-quick",), "datasets": ("toy-blobs",)} | changes
    return plan_study(Study(**study), installed_catalog())


def test_defaults_are_sensible_and_said():
    found = plan()
    assert len(found.trials) == 5
    assert {(trial.corruption, trial.rate) for trial in found.trials} == {("missing-even", 0.3)}
    assert {trial.protocol.restarts for trial in found.trials} == {20}
    assert any("missing-even at rate 0.3" in note for note in found.notes)
    assert any("5 repeats of 20 restarts" in note for note in found.notes)


def test_the_grid_is_the_product_of_what_was_asked_the_entries_varying_fastest():
    found = plan(
        algorithms=("toy-quick", "toy-slow", "toy-quick"),
        datasets=("toy-blobs", "toy-blobs[a]", "toy-blobs"),
        corruptions=("missing-per-view",),
        rates=(0.0,),
        repeats=3,
        params={"toy-quick": {"scale": (1.0, 2.0)}},
    )
    assert [(one.dataset, one.repeat, one.algorithm, one.params["scale"]) for one in found.trials] == [
        (dataset, repeat, algorithm, scale)
        for dataset in ("toy-blobs", "toy-blobs[a]")
        for repeat in range(3)
        for algorithm, scale in (("toy-quick", 1.0), ("toy-quick", 2.0), ("toy-slow", 1.0))
    ]
    assert len({trial.key for trial in found.trials}) == 2 * 3 * (2 + 1)


def test_of_two_data_sets_with_one_content_the_later_one_is_named():
    found = plan(datasets=("toy-blobs", "toy-drawn", "toy-blobs[a,b]"), rates=(0.1, 0.3), repeats=2)
    assert [trial.dataset for trial in found.trials] == ["toy-drawn"] * 4 + ["toy-blobs[a,b]"] * 4
    assert any("toy-blobs and toy-blobs[a,b] hold the same data" in note for note in found.notes)


def test_a_million_trials_take_less_than_a_gigabyte():
    asked = {"rates": (0.1, 0.3), "corruptions": ("missing-even",)}
    plan(**asked, repeats=1)
    tracemalloc.start()
    try:
        found = plan(**asked, repeats=1_000)
        assert len(found.trials) == 2_000
        assert tracemalloc.get_traced_memory()[0] < 2_000_000
    finally:
        tracemalloc.stop()


def test_several_numbers_of_clusters_are_a_grid_beside_which_a_control_has_one_row():
    found = plan(algorithms=("toy-quick", "random"), n_clusters=(2, 3, 5), repeats=1)
    asked = [(trial.algorithm, trial.params["n_clusters"]) for trial in found.trials]
    assert asked == [("toy-quick", 2), ("toy-quick", 3), ("toy-quick", 5), ("random", None)]
    alone = plan(algorithms=("toy-quick", "random"), n_clusters=(3,), repeats=1)
    assert [trial.params["n_clusters"] for trial in alone.trials] == [3, 3]
    assert alone.trials[0].key == found.trials[1].key


def test_a_number_for_one_algorithm_goes_before_that_of_all():
    params = {"toy-slow": {"n_clusters": (4,)}}
    found = plan(algorithms=("toy-quick", "toy-slow"), n_clusters=(2, 3), params=params, repeats=1)
    assert [trial.params["n_clusters"] for trial in found.trials] == [2, 3, 4]


def test_an_algorithm_picked_over_views_gets_one_trial_per_view():
    found = plan(algorithms=("bsv-kmeans",), repeats=1)
    assert [trial.params["view"] for trial in found.trials] == ["a", "b"]
    assert {trial.picks_by_labels for trial in found.trials} == {"view"}
    assert len(plan(algorithms=("bsv-kmeans",), params={"bsv-kmeans": {"view": ("b",)}}, repeats=1).trials) == 1


def test_data_drawn_at_random_are_drawn_once_per_repeat():
    found = plan(datasets=("toy-drawn",), algorithms=("toy-quick", "toy-slow"), repeats=3).trials
    assert len({trial.data_seed for trial in found}) == 3
    assert len({trial.content for trial in found}) == 1
    assert plan(datasets=("toy-drawn[a]",), repeats=1).trials[0].content != found[0].content


@pytest.mark.parametrize(
    ("changes", "kind", "message"),
    [
        ({"datasets": ("toy-blobs[c]",)}, UnknownName, "no view called 'c'"),
        ({"rates": (1.0,)}, InvalidSetting, "choose one from 0 to 0.966666"),
        ({"rates": (-0.1,)}, InvalidSetting, "a rate of -0.1 is not possible"),
        ({"corruptions": ("missing-even:lots",)}, InvalidSetting, "'lots' is not a rate"),
        ({"corruptions": ("missing-even:0.1",), "rates": (0.2,)}, InvalidSetting, "rates need a corruption"),
        ({"repeats": 0}, InvalidSetting, "repeats must be at least 1"),
        ({"restarts": 0}, InvalidSetting, "restarts must be at least 1"),
        ({"algorithms": ()}, InvalidSetting, "no algorithm was given"),
    ],
    ids=str,
)
def test_what_is_wrong_is_said_before_anything_runs(changes, kind, message):
    with pytest.raises(MvarenaError, match=message) as caught:
        plan(**changes)
    assert isinstance(caught.value, kind)


def test_sources_are_kept_and_named_as_asked():
    catalog = installed_catalog()
    data = load_source("toy-blobs[b,a]", catalog)
    assert data.name == "toy-blobs[b,a]"
    assert data.view_names == ("b", "a")
    assert load_source("toy-blobs[b,a]", catalog) is data
    assert source_from_text("toy-blobs[ b , a ]", catalog).name == "toy-blobs[b,a]"


def test_every_trial_falls_to_one_of_the_parts_and_to_the_same_one_in_a_larger_study():
    whole = plan(algorithms=("toy-quick", "toy-slow"), rates=(0.1, 0.3), corruptions=("missing-even",), repeats=10)
    parts = [part_of_plan(whole, (index, 4)) for index in range(1, 5)]
    keys = [[trial.key for trial in part.trials] for part in parts]
    assert sorted(key for own in keys for key in own) == sorted(trial.key for trial in whole.trials)
    assert all(2 <= len(own) <= 20 for own in keys), "40 trials in four parts of about ten"
    assert parts[0].notes[-1] == f"Part 1 of 4: {len(keys[0])} of 40 trials."
    smaller = part_of_plan(plan(rates=(0.3,), corruptions=("missing-even",), repeats=10), (2, 4))
    assert {trial.key for trial in smaller.trials} <= set(keys[1])
