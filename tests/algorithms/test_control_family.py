"""The controls in studies: who gets the classes, who takes part, and where."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mvarena.algorithms.control.controls import OneCluster, RandomLabels, ShuffledTruth, Truth
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.data import MultiViewData
from mvarena.errors import Incompatible, PluginError
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.plugins import _checked
from mvarena.study.model import Study
from mvarena.study.plan import plan_study
from mvarena.study.sources import source_of_data
from mvarena.testing import checks_of

CATALOG = installed_catalog()
CONTROLS = {"one-cluster", "random", "shuffled-truth", "truth"}
RNG = np.random.default_rng(0)
CLASSES = np.repeat([0, 1, 2], 10)
DATA = MultiViewData.from_arrays([RNG.random((30, 4)), RNG.random((30, 3))], labels=CLASSES)


def planned(algorithms: str = "concat", **settings: object) -> set[str]:
    study = Study.of(algorithms=algorithms, datasets="toy-blobs", repeats=1, restarts=1, **settings)
    return {trial.algorithm for trial in plan_study(study, CATALOG).trials}


def test_what_each_gives() -> None:
    assert set(OneCluster(n_clusters=3).fit_predict(DATA)) == {0}
    drawn = RandomLabels(n_clusters=3, random_state=0).fit_predict(DATA)
    assert set(drawn) == {0, 1, 2}
    assert (drawn == RandomLabels(n_clusters=3, random_state=0).fit_predict(DATA)).all()
    assert (Truth(n_clusters=3).represent(DATA).labels == CLASSES).all()
    shuffled = ShuffledTruth(n_clusters=3, random_state=0).represent(DATA).labels
    assert np.bincount(shuffled).tolist() == [10, 10, 10]
    assert (shuffled != CLASSES).any()


def test_by_themselves_they_get_the_classes_too_and_others_do_not() -> None:
    assert (Truth(n_clusters=3).fit_predict(DATA) == CLASSES).all()
    assert np.bincount(ShuffledTruth(n_clusters=3, random_state=0).fit_predict(DATA)).tolist() == [10, 10, 10]

    arrays = [view.matrix for view in DATA.views]
    assert (Truth(n_clusters=3).fit_predict(arrays, CLASSES) == CLASSES).all()

    class Looks(OneCluster):
        def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
            assert data.labels is None
            return super().solve(data, n_clusters)

    assert set(Looks(n_clusters=3).fit_predict(DATA)) == {0}


def test_the_checks_that_do_not_apply_to_them_are_few() -> None:
    def left_out(name: str) -> set[str]:
        spec = CATALOG.algorithm(name)
        of_others = {check.check.name for check in checks_of(replace(spec, target="elsewhere:Other"))}
        return of_others - {check.check.name for check in checks_of(spec)}

    assert left_out("one-cluster") == {"more-than-one-cluster", "classes-never-read"}
    assert left_out("random") == {"more-than-one-cluster", "permutation", "classes-never-read"}
    exempt = {"more-than-one-cluster", "labels-never-seen", "missing-rows-never-read", "classes-never-read"}
    assert left_out("truth") == exempt
    assert left_out("shuffled-truth") == left_out("truth") | {"permutation"}


@pytest.mark.parametrize("kind", [Truth, ShuffledTruth])
def test_without_classes_those_that_read_them_refuse(kind: type) -> None:
    with pytest.raises(Incompatible, match="it has no classes"):
        kind(n_clusters=3).represent(DATA.without_labels())


def test_a_spec_that_reads_labels_is_refused_of_anybody_else() -> None:
    spec = AlgorithmSpec(name="cheat", target="somewhere:Cheat", summary="", reads_labels=True)
    with pytest.raises(PluginError, match="'cheat' may not read labels"):
        _checked([spec], AlgorithmSpec, "somewhere")


def test_they_take_part_in_fair_studies_that_ask_for_them_and_not_with_all_algorithms() -> None:
    assert planned(controls=True) == CONTROLS | {"concat"}
    assert planned(controls=True, protocol="average") == {"concat"}
    assert planned() == {"concat"}
    assert planned("control:*") == CONTROLS
    assert not CONTROLS & planned("all")


def test_on_data_without_classes_only_the_honest_ones_do() -> None:
    study = Study.of(
        algorithms="concat", datasets=[source_of_data(DATA.without_labels())], repeats=1, controls=True, n_clusters=3
    )
    plan = plan_study(study, CATALOG)
    assert {trial.algorithm for trial in plan.trials} == {"concat", "one-cluster", "random"}
    assert not any("classes" in note or "truth" in note for note in plan.notes)
    asked = plan_study(replace(study, algorithms=("concat", "truth")), CATALOG)
    assert any("has no classes; truth cannot run on it." in note for note in asked.notes)
