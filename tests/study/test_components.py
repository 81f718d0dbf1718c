"""Parameters of what a study names: typed and checked by the plan, before anything runs."""

from __future__ import annotations

import pytest

from mvarena.contracts.specs import AlgorithmSpec
from mvarena.errors import InvalidSetting, UnknownName
from mvarena.registry.catalog import installed_catalog
from mvarena.study.components import contestants_of, typed_params
from mvarena.study.families import controls
from mvarena.study.model import Contestant, Study
from mvarena.study.plan import plan_study
from mvarena.study.values import raw_params


def parsed(*settings: str, algorithms=("toy-quick",)):
    catalog = installed_catalog()
    return typed_params(
        raw_params(settings), contestants_of(Study(algorithms=algorithms, datasets=("toy-blobs",)), catalog), catalog
    )


def trials(**changes):
    settings = {"algorithms": ("toy-quick",), "datasets": ("toy-blobs",), "repeats": 1, "restarts": 1} | changes
    return plan_study(Study(**settings), installed_catalog()).trials


def test_values_are_read_by_the_declared_type_and_commas_make_a_grid() -> None:
    found = parsed(
        "mic.literal=no",
        "mic.beta=0.01,0.1,1",
        "mic.steps=5",
        "mic.steps=5,7",
        "missing-blocks.n_groups=2",
        "dsnmf.layers=[100,50],[20]",
    )
    assert found == {
        "mic": {"literal": (False,), "beta": (0.01, 0.1, 1.0), "steps": (5, 7)},
        "missing-blocks": {"n_groups": (2,)},
        "dsnmf": {"layers": ([100, 50], [20])},
    }


@pytest.mark.parametrize(
    ("setting", "error", "words"),
    [
        ("apmc.n_neighbors=abc", InvalidSetting, "apmc.n_neighbors must be a whole number of at least 1, not 'abc'"),
        ("mic.scale=totl", InvalidSetting, "mic.scale must be mean-entry or total, not 'totl'"),
        ("mic.betta=1", UnknownName, "no parameter of mic called 'betta'. Did you mean beta"),
        ("mik.beta=1", UnknownName, "Did you mean mic"),
        ("beta=1", InvalidSetting, "write NAME.PARAMETER=VALUE"),
    ],
)
def test_what_cannot_be_set_is_said(setting, error, words) -> None:
    with pytest.raises(error, match=words):
        parsed(setting)


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"mic": {"alpha": (0.0,)}}, "mic.alpha must be a number above 0, not 0.0"),
        ({"mic": {"literal": ("maybe",)}}, "mic.literal must be yes or no, not 'maybe'"),
        ({"mic": {"n_init": (3,)}}, "mic.n_init is set by the protocol"),
        ({"missing-blocks": {"n_groups": (0,)}}, "missing-blocks.n_groups must be a whole number of at least 1"),
        ({"apmc": {"n_neighbors": (3,)}}, "parameters are set for apmc, which the study does not use"),
    ],
)
def test_the_plan_refuses_before_anything_runs(params, words) -> None:
    with pytest.raises(InvalidSetting, match=words):
        trials(algorithms=("mic",), corruptions=("missing-blocks:0.3",), params=params)


def test_a_whole_number_and_a_float_are_one_value() -> None:
    (one,) = trials(algorithms=("mic",), params={"mic": {"beta": (1,)}})
    (other,) = trials(algorithms=("mic",), params={"mic": {"beta": (1.0,)}})
    assert one.key == other.key


def test_corruptions_have_parameters_that_make_conditions_of_their_own() -> None:
    plain = trials(corruptions=("missing-blocks:0.3",))
    default, other = trials(corruptions=("missing-blocks:0.3",), params={"missing-blocks": {"n_groups": (4, 2)}})
    assert default.key == plain[0].key
    assert other.corruptions[0].params == {"n_groups": 2}
    assert other.key != default.key
    assert other.corruption_seed(0) != default.corruption_seed(0)
    assert "n_groups=2" in other.corruption


def test_all_stands_for_every_announced_algorithm_but_the_controls() -> None:
    catalog = installed_catalog()
    apart = [spec.name for spec in controls(catalog)]
    methods = [name for name in catalog.names("algorithm") if name not in apart]
    assert len(apart) == 4
    for algorithms, some, expected in (
        (("all", "concat"), False, methods),
        (("all", "concat"), True, [*methods, *apart]),
        (("truth", "concat"), True, ["truth", "concat", *(name for name in apart if name != "truth")]),
    ):
        study = Study(algorithms=algorithms, datasets=("toy-blobs",), controls=some)
        assert [one.spec.name for one in contestants_of(study, catalog)] == expected


def test_a_contestant_of_ones_own_may_not_have_the_name_of_another() -> None:
    def own(name: str, target: str) -> Contestant:
        return Contestant(AlgorithmSpec(name=name, target=target, summary="mine"))

    for algorithms in (
        (own("concat", "mine.py:Concat"),),
        (own("mine", "a.py:Mine"), own("mine", "b.py:Mine")),
    ):
        with pytest.raises(InvalidSetting, match=r"there is another algorithm called .*; rename yours"):
            contestants_of(Study(algorithms=algorithms, datasets=("toy-blobs",)), installed_catalog())
    two = (own("mine", "a.py:Mine"), Contestant(own("mine", "a.py:Mine").spec, {"weight": 2.0}))
    assert len(contestants_of(Study(algorithms=two, datasets=("toy-blobs",)), installed_catalog())) == 2
