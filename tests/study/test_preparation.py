"""Preparation: one scaling for everybody, for each algorithm the adaptation that it needs, and what else is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from parameter_ids import stable_id
from scipy.spatial.distance import cdist
from sklearn.metrics import adjusted_rand_score

from mvarena import prepare
from mvarena.contracts.capabilities import Capabilities
from mvarena.data import MultiViewData
from mvarena.engine.stages import staged
from mvarena.errors import Incompatible, InvalidSetting, UnknownName
from mvarena.registry.catalog import installed_catalog
from mvarena.study.adaptation import adaptation
from mvarena.study.model import Study
from mvarena.study.plan import Plan, plan_study
from mvarena.study.preparation import preparation_for
from mvarena.study.sources import source_of_data
from mvarena.testing.examples import blobs

CATALOG = installed_catalog()
OURS = [spec for spec in CATALOG.specs("algorithm") if CATALOG.plugin_of(spec).distribution == "mvarena"]
NAMES = ("apmc", "concat", "mkkm-zf", "multinmf")
MIXED = MultiViewData.from_arrays(
    [blobs().views[0].matrix, blobs(kind="kernel").views[1].matrix],
    labels=blobs().labels,
    kinds=["features", "kernel"],
    name="mixed",
)


def plan(**changes) -> Plan:
    study = {"algorithms": NAMES, "datasets": ("toy-blobs",), "repeats": 1, "restarts": 1} | changes
    return plan_study(Study.of(**study), CATALOG)


def steps(**changes) -> dict[str, list[str]]:
    return {trial.algorithm: [str(step) for step in trial.prepare] for trial in plan(**changes).trials}


def test_everybody_is_scaled_alike_and_gets_only_what_it_needs():
    assert steps() == {
        "apmc": ["scale-auto"],
        "concat": ["scale-auto", "fill-knn"],
        "mkkm-zf": ["scale-auto", "gaussian-kernel", "center-kernels"],
        "multinmf": ["scale-auto", "fill-knn", "shift-nonnegative"],
    }


def test_every_algorithm_begins_with_the_same_scaling_under_every_corruption():
    of_all = {"algorithms": [spec.name for spec in OURS], "scale": "minmax,unit-rows"}
    found = steps(**of_all)
    assert {tuple(names[:2]) for names in found.values()} == {("minmax", "unit-rows")}
    scalings = {"minmax", "unit-rows", "unit-view", "zscore", "tfidf", "scale-auto"}
    assert not scalings & {name for names in found.values() for name in names[2:]}
    assert steps(**of_all, corruptions=["none"]) == steps(**of_all, rates=[0.1]) == found


def test_scalings_are_an_axis():
    found = plan(algorithms="concat", scale=["auto", "none", "minmax", "zscore,unit-rows"]).trials
    assert [",".join(str(step) for step in trial.prepare) for trial in found] == [
        "scale-auto,fill-knn", "fill-knn", "minmax,fill-knn", "zscore,unit-rows,fill-knn",
    ]  # fmt: skip
    assert len({trial.key for trial in found}) == 4
    assert len({(trial.data_seed, trial.corruption_seed(0), trial.algorithm_seed) for trial in found}) == 1


def test_data_without_features_are_not_scaled():
    kernels = source_of_data(blobs(kind="kernel"))
    found = plan(algorithms="concat", datasets=[kernels], scale=["auto", "minmax"])
    assert [[str(step) for step in trial.prepare] for trial in found.trials] == [
        ["kernel-features", "unit-view", "fill-knn"]
    ]
    assert not any("scaling" in note for note in found.notes)


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ({"features", "kernel", "distance"}, ()),
        ({"features", "kernel"}, ("distance-kernel",)),
        ({"features"}, ("kernel-features", "distance-features", "unit-view")),
        ({"kernel"}, ("gaussian-kernel", "distance-kernel")),
        ({"features", "distance"}, ("kernel-features", "unit-view")),
    ],
    ids=stable_id,
)
def test_views_become_what_an_algorithm_takes(kinds, expected):
    data = MultiViewData.from_arrays([np.eye(3)] * 2 + [1 - np.eye(3)], kinds=["features", "kernel", "distance"])
    assert set(adaptation(Capabilities(kinds=frozenset(kinds)), data)) == set(expected)


@pytest.mark.parametrize("scaling", [(), ("minmax",), ("zscore", "unit-rows")])
def test_features_keep_the_size_that_a_scaling_by_name_gives_them(scaling):
    takes = Capabilities(kinds=frozenset({"features"}))
    assert adaptation(takes, MIXED, scaling=scaling)[0] == "kernel-features"
    assert "unit-view" not in adaptation(takes, MIXED, scaling=scaling)
    found = steps(algorithms="concat", datasets=[source_of_data(MIXED)], scale=",".join(scaling) or "none")
    assert found == {"concat": [*scaling, "kernel-features", "fill-knn"]}


@pytest.mark.parametrize("name", ["concat", "daimc", "lmvsc"])
def test_the_unit_of_distances_and_kernels_changes_nothing(name):
    rng, truth = np.random.default_rng(0), np.repeat([0, 1, 2], 20)
    first, second = (rng.normal(size=(60, d)) + 3 * np.eye(3, d)[truth] for d in (5, 4))
    distances, kernel = cdist(first, first), second @ second.T

    def clusters(of_distances: float, of_kernel: float) -> NDArray[np.int64]:
        matrices = [of_distances * distances, of_kernel * kernel]
        data = MultiViewData.from_arrays(matrices, kinds=["distance", "kernel"])
        spec = CATALOG.algorithm(name)
        for step in preparation_for(spec, data, ("auto",), "knn", CATALOG):
            data = CATALOG.load(CATALOG.transform(step))(data)
        return CATALOG.load(spec)(n_clusters=3, random_state=0).fit_predict(data)

    expected = clusters(1, 1)
    assert adjusted_rand_score(expected, truth) > 0.8
    for units in ((1000, 1), (1, 1000), (1000, 1000), (1e-3, 1)):
        assert adjusted_rand_score(clusters(*units), expected) == 1


@pytest.mark.parametrize(
    ("data", "fill"),
    [(blobs(), "mean"), (blobs(kind="kernel"), "zero"), (blobs(kind="distance"), "zero"), (MIXED, "knn")],
    ids=["negative features", "kernels", "distances", "a kernel among features"],
)
def test_every_algorithm_can_take_every_data(data, fill):
    found = plan(algorithms=[spec.name for spec in OURS], datasets=[source_of_data(data)], fill=fill).trials
    assert len({trial.algorithm for trial in found}) == len(OURS)
    for trial in found:
        spec = CATALOG.algorithm(trial.algorithm)
        takes = spec.capabilities
        if fill == "zero" and "distance" in takes.kinds and not takes.missing and data.views[0].kind == "distance":
            with pytest.raises(Incompatible, match="zero means"):
                staged(trial, CATALOG)
            continue
        assert takes.refusal(spec.name, staged(trial, CATALOG).seen, 3) is None


@pytest.mark.parametrize(("name", "scale"), list(zip(NAMES, ["none", "minmax", "auto", "auto"], strict=True)))
def test_prepare_gives_what_run_gives(name, scale):
    (trial,) = plan(algorithms=name, datasets=[source_of_data(MIXED)], scale=scale, fill="knn").trials
    stages = staged(trial, CATALOG)
    assert (
        prepare(stages.corrupted.without_labels(), scale, for_=name, fill="knn").fingerprint == stages.seen.fingerprint
    )


def test_prepare_from_a_class_and_as_published():
    from mvarena.algorithms import Concat

    data = blobs(missing=0.3)
    assert prepare(data, "auto", for_=Concat).fingerprint == prepare(data, "scale-auto", "fill-knn").fingerprint
    published = prepare(data, "paper", for_="sc-concat").fingerprint
    assert published == prepare(data, *CATALOG.algorithm("sc-concat").prepare).fingerprint


def test_papers_prepare_as_they_published():
    published = {name: list(CATALOG.algorithm(name).prepare) for name in NAMES}
    assert steps(prepare="paper") == steps(protocol="mic") == published
    assert steps(protocol="mic", prepare="auto") == steps() != published
    assert steps(protocol="mic", scale="minmax")["apmc"] == ["minmax"]


def test_steps_are_said_for_one_algorithm_or_for_everybody():
    assert steps(prepare={"apmc": ["minmax", "unit-rows"]}) == steps() | {"apmc": ["minmax", "unit-rows"]}
    assert steps(prepare=["none", "concat=auto"])["concat"] == ["scale-auto", "fill-knn"]
    assert steps(prepare=["concat=none"], scale="minmax")["concat"] == []
    assert set(map(tuple, steps(prepare=["fill-knn", "unit-rows"]).values())) == {("fill-knn", "unit-rows")}
    assert set(map(tuple, steps(prepare=()).values())) == {()} == set(map(tuple, steps(prepare="none").values()))


def test_parameters_of_adaptations_make_a_grid():
    found = plan(algorithms="mkkm-zf", params={"gaussian-kernel": {"sigma": (1.0, 2.0)}}).trials
    assert [trial.prepare[1].params for trial in found] == [{"sigma": 1.0}, {"sigma": 2.0}]
    with pytest.raises(InvalidSetting, match="set for gaussian-kernel, which the study does not use"):
        plan(algorithms="concat", params={"gaussian-kernel": {"sigma": (1.0,)}})


def test_what_was_decided_is_said():
    planned = plan(algorithms=["concat", "apmc"])
    assert "Adaptation: filled data for 1 method." in planned.notes
    assert "toy-blobs: scaling (auto), with the kind of each view: a, b: amounts -> unit-view." in planned.details
    assert "Adaptation: fill-knn for concat; nothing for apmc." in planned.details
    own = source_of_data(replace(blobs(30, dims=(3, 2), seed=0), name="mine"))
    assert any(note.startswith("mine: scaling (auto)") for note in plan(algorithms=["concat"], datasets=[own]).notes)
    two = plan(algorithms=["concat"], datasets=["toy-blobs", source_of_data(MIXED)]).details
    assert "Adaptation on mixed: kernel-features, unit-view, fill-knn for concat." in two


@pytest.mark.parametrize(
    ("changes", "kind", "message"),
    [
        ({"scale": "minmx"}, UnknownName, "Did you mean minmax"),
        ({"fill": "means"}, UnknownName, "Did you mean mean"),
        ({"prepare": ["apmcc=minmax"]}, UnknownName, "Did you mean apmc"),
        ({"prepare": ["apmc=minmx"]}, UnknownName, "Did you mean minmax"),
        ({"prepare": ["paper", "minmax"]}, InvalidSetting, "'paper' must be the only step"),
        ({"prepare": "paper", "scale": "minmax"}, InvalidSetting, "scale has no effect if all steps"),
        ({"prepare": ["unit-rows"], "fill": "mean"}, InvalidSetting, "fill has no effect if all steps"),
    ],
    ids=stable_id,
)
def test_what_cannot_be_is_said(changes, kind, message):
    with pytest.raises(kind, match=message):
        plan(**changes)
