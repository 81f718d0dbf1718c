"""Ranges of the papers: every method says its own, they are valid, and a study runs them."""

from __future__ import annotations

import pytest
from built_in import ours

from mvarena.contracts.parameters import checked_parameters
from mvarena.contracts.specs import PaperGrid
from mvarena.errors import InvalidSetting, PluginError
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.plugins import is_control
from mvarena.study.components import paper_grid
from mvarena.study.model import Study
from mvarena.study.plan import plan_study
from mvarena.testing.examples import blobs


def test_every_method_says_what_its_paper_searches():
    for spec in (spec for spec in ours("algorithm") if not is_control(spec)):
        assert spec.grid is not None, spec.name
        assert spec.grid.words.startswith(("nothing is searched (", "no range is known (")) != bool(spec.grid.values)
        target = installed_catalog().load(spec)
        for name, values in paper_grid(spec, blobs(30), None).items():
            for value in values:
                checked_parameters(spec.name, target, {name: value})


def test_multiples_of_the_clusters_are_counted():
    spec = installed_catalog().algorithm("lmvsc")
    assert paper_grid(spec, blobs(30), None)["n_anchors"] == (3, 50, 100)
    assert paper_grid(spec, blobs(30), (50, 2))["n_anchors"] == (50, 100)


def planned(**options):
    study = Study(datasets=("synthetic-apmc",), corruptions=("none",), repeats=1, **options)
    return plan_study(study, installed_catalog())


def test_a_study_runs_the_ranges_of_its_methods():
    plan = planned(algorithms=("coreg-centroid", "concat"), grid="paper")
    assert [(trial.algorithm, trial.params.get("lam")) for trial in plan.trials] == [
        *(("coreg-centroid", lam) for lam in (0.01, 0.02, 0.03, 0.04, 0.05)),
        ("concat", None),
    ]
    assert any(note.startswith("Papers' ranges: coreg-centroid lam=0.01,0.02") for note in plan.details)
    assert "No range: concat." in plan.details


def test_what_the_study_sets_itself_stays():
    plan = planned(algorithms=("lmvsc",), grid="paper", params={"lmvsc": {"ridge": (0.5, 2.0)}})
    assert {trial.params["ridge"] for trial in plan.trials} == {0.5, 2.0}
    assert len(plan.trials) == 6


def test_another_grid_is_refused():
    with pytest.raises(InvalidSetting, match="grid is 'paper', not 'fine'"):
        planned(algorithms=("concat",), grid="fine")


@pytest.mark.parametrize(
    ("source", "values", "says"),
    [
        ("section 4", (("a", (1,)), ("b", (1,)), ("c", (1,))), "at most 2 parameters"),
        ("section 4", (("a", tuple(range(13))),), "at most 2 parameters"),
        ("section 4", (("a", (1, 2, 3, 4)), ("b", (1, 2, 3, 4))), "at most 2 parameters"),
        ("section 4", (("a", ()),), "at most 2 parameters"),
        ("", (("lam", (0.1,)),), "names its source"),
    ],
)
def test_a_grid_is_of_two_parameters_and_twelve_settings_at_most_and_has_a_source(source, values, says):
    with pytest.raises(PluginError, match=says):
        PaperGrid(source, values)


def test_a_grid_in_words():
    grid = PaperGrid("section 4", (("lam", (0.1, None)), ("exact", (True,))), by_classes=True)
    assert grid.words == "lam=0.1,none exact=true (section 4; the best by the classes is reported)"
    assert PaperGrid("Table 2").words == "nothing is searched (Table 2)"
    assert PaperGrid("no text at hand", known=False).words == "no range is known (no text at hand)"
