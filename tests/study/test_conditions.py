"""Conditions: corruptions that compare or chain, rates that go where they are meant, data that allow some of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mvarena.contracts.source import Source
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting, UnknownName
from mvarena.registry.catalog import installed_catalog
from mvarena.study.conditions import Conditions, conditions_on
from mvarena.study.model import Study
from mvarena.study.plan import Plan, plan_study
from mvarena.study.sources import reading_notes, source_from_text, source_of_data

CATALOG = installed_catalog()


def blobs(name: str = "blobs", n: int = 20, n_views: int = 2, lost: int = 0) -> MultiViewData:
    """Labelled data; the last `lost` samples miss the first view."""
    rng = np.random.default_rng(0)
    mask = np.ones((n, n_views), dtype=bool)
    mask[n - lost :, 0] = False
    arrays = [rng.random((n, 3)) for _ in range(n_views)]
    return MultiViewData.from_arrays(arrays, mask=mask, labels=np.arange(n) % 2, name=name)


def conditions(*corruptions: str, rates: tuple[float, ...] | None = None) -> Conditions:
    study = Study(algorithms=("toy-quick",), datasets=("toy-blobs",), corruptions=corruptions or None, rates=rates)
    return Conditions(study, CATALOG)


def shown(found: Conditions) -> list[list[str]]:
    return [[str(step) for step in point] for point in found.points]


def plan(*data: MultiViewData, **changes) -> Plan:
    sources: tuple[Source, ...] = tuple(source_of_data(one) for one in data)
    return plan_study(Study(**({"algorithms": ("toy-quick",), "datasets": sources, "repeats": 1} | changes)), CATALOG)


@pytest.mark.parametrize(
    ("corruptions", "rates", "points"),
    [
        (
            ("missing-even", "gaussian:10dB", "none"),
            (0.1, 0.2),
            [["missing-even:0.1"], ["missing-even:0.2"], ["gaussian:10"], []],
        ),
        (
            ("missing-even:0.3+gaussian:10dB", "gaussian:1e+3+missing-even"),
            None,
            [["missing-even:0.3", "gaussian:10"], ["gaussian:1000", "missing-even:0.3"]],
        ),
        (
            ("swapped-pairs+missing-even:0.05+outliers",),
            (0.1, 0.2),
            [
                ["swapped-pairs:0.1", "missing-even:0.05", "outliers:0.1"],
                ["swapped-pairs:0.2", "missing-even:0.05", "outliers:0.2"],
            ],
        ),
        (("gaussian",), (0.1, 10.0, math.inf), [["gaussian:0.1"], ["gaussian:10"], ["gaussian:inf"]]),
    ],
    ids=["several are compared", "chains keep their order", "rates go where none is given", "ratios of noise"],
)
def test_conditions_are_chains_at_their_rates(corruptions, rates, points):
    assert shown(conditions(*corruptions, rates=rates)) == points


@pytest.mark.parametrize(
    ("corruptions", "rates"),
    [
        (("gaussian",), None),
        (("gaussian",), (0.2,)),
        (("missing-even+gaussian",), (0.2,)),
        (("missing-even", "gaussian"), (0.1, 10.0)),
    ],
    ids=str,
)
def test_a_share_is_never_taken_for_a_ratio_of_noise(corruptions, rates):
    with pytest.raises(InvalidSetting, match=r"signal-to-noise ratio.*as in gaussian:10dB or gaussian:0.1"):
        conditions(*corruptions, rates=rates)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("missing-even:0.1+missing-per-view:0.1", "cannot follow missing-even, as a rate would no longer mean"),
        ("missing-even+gaussian:1+paired-ratio", "two conditions, missing-even paired-ratio"),
        ("missing-even+swapped-pairs", r"needs complete data; put it first, as in swapped-pairs\+missing-even"),
        ("none+missing-even", "none, which is a condition of its own"),
        ("missing-even:0.1+gausian:1", "Did you mean gaussian"),
    ],
)
def test_what_cannot_follow_what_is_refused(text, message):
    with pytest.raises((InvalidSetting, UnknownName), match=message):
        conditions(text)


def test_incomplete_data_are_taken_as_they_are_by_default_and_lose_more_on_request():
    data = blobs(lost=5)
    assert conditions_on(data, conditions()) == ([()], ["blobs is naturally incomplete and used as it is."])
    for asked in (conditions(rates=(0.2,)), conditions("missing-even:0.2")):
        points, notes = conditions_on(data, asked)
        assert [[str(step) for step in point] for point in points] == [["missing-even:0.2"]]
        assert notes == [
            "blobs is naturally incomplete: 5 of its 20 samples already miss a view; missing-even removes views of "
            "the complete ones; rates are shares of these."
        ]


def test_a_data_set_on_which_a_condition_is_impossible_is_left_out_of_it_and_the_others_go_on():
    found = plan(blobs("whole"), blobs("gappy", lost=5), corruptions=("swapped-pairs:0.2", "none"))
    assert [(trial.dataset, trial.corruption) for trial in found.trials] == [
        ("whole", "swapped-pairs"),
        ("whole", "none"),
        ("gappy", "none"),
    ]
    (note,) = (note for note in found.notes if "left out" in note)
    assert note.startswith("gappy is left out of swapped-pairs:0.2: swapped-pairs needs complete data, and in gappy 5")
    found = plan(blobs("two"), blobs("one", n_views=1), corruptions=("missing-even",), rates=(0.1, 0.2))
    assert {trial.dataset for trial in found.trials} == {"two"}
    assert any(
        note.startswith("one is left out of the study: missing-even needs at least two views") for note in found.notes
    )
    found = plan(blobs("two"), blobs("four", n_views=4), corruptions=("missing-per-view",), rates=(0.5, 0.7))
    assert {(trial.dataset, trial.rate) for trial in found.trials} == {("two", 0.5), ("four", 0.5), ("four", 0.7)}
    assert any(note.startswith("two is left out of missing-per-view:0.7: ") for note in found.notes)


def test_a_point_that_no_data_set_allows_is_an_error():
    with pytest.raises(InvalidSetting, match=r"choose one from 0 to 0\.5"):
        plan(blobs("a"), blobs("b"), corruptions=("missing-per-view",), rates=(0.2, 0.7))
    with pytest.raises(InvalidSetting, match="needs complete data"):
        plan(blobs("gappy", lost=5), corruptions=("swapped-pairs:0.2",))
    with pytest.raises(InvalidSetting, match="removes views of complete samples, and gone has none"):
        plan(gone(), corruptions=("missing-even",))


def gone() -> MultiViewData:
    """Data of which every sample misses a view."""
    half = np.arange(10) < 5
    mask = np.column_stack([half, ~half])
    return MultiViewData.from_arrays([np.ones((10, 2))] * 2, mask=mask, labels=np.arange(10) % 2, name="gone")


def test_what_of_a_file_is_not_used_is_said_by_the_plan_as_by_inspection(tmp_path):
    data = blobs(n=20)
    path = tmp_path / "own.npz"
    np.savez(path, X1=data.views[0].matrix, X2=data.views[1].matrix, other=np.ones((7, 3)), y=np.full(20, 3),
             names=np.array(["x"] * 20))  # fmt: skip
    table = tmp_path / "a.csv"
    table.write_text("id,sex,x\np1,f,1\np2,m,2\np3,f,4\n")
    source = source_from_text(str(table), drop=["sex"])
    (note,) = reading_notes(source, CATALOG)
    assert note.startswith("a: a.csv is a view: 3 samples as rows, 1 feature, a header (")
    assert note.endswith("sample ids in the first column; the ids name 3 samples.")
    for _ in range(2):  # when it is read, and again when it comes from the cache
        found = plan_study(
            Study(algorithms=("toy-quick",), datasets=(Source.of_files([path], name="own"),), n_clusters=(2,)), CATALOG
        )
        assert found.notes[0].startswith("own: y holds the labels (a vector): 20 samples of 1 class; 2 views")
        assert found.notes[1] == (
            "own: not used: other (7 x 3 numbers); names (20 texts); "
            "the labels (all labelled samples are of one class)."
        )
