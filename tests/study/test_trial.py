"""Keys: nothing that matters changes without them, nothing else changes them. Seeds are scoped."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.contracts.source import Source
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.contracts.trial import Step, Trial
from mvarena.study.protocols import PROTOCOLS

TRIAL = Trial(
    algorithm="apmc",
    algorithm_version="1",
    params={"n_neighbors": 10, "sigma": None},
    source=Source(dataset="digits", views=("fou", "fac")),
    content="ab" * 32,
    corruptions=(Step("missing-even", "1", 0.3),),
    prepare=(Step("minmax", "1"), Step("unit-rows", "1")),
    protocol=PROTOCOLS["average"],
    seed=0,
    repeat=2,
    picks_by_labels=None,
)


@pytest.mark.parametrize(
    "change",
    [
        {"algorithm": "concat"},
        {"algorithm_version": "2"},
        {"params": {"n_neighbors": 7, "sigma": None}},
        {"content": "cd" * 32},
        {"corruptions": ()},
        {"corruptions": (Step("missing-even", "1", 0.5),)},
        {"corruptions": (Step("missing-even", "2", 0.3),)},
        {"corruptions": (Step("missing-even", "1", 0.3, {"n_groups": 2}),)},
        {"corruptions": (Step("missing-even", "1", 0.3000001),)},
        {"prepare": (Step("unit-rows", "1"), Step("minmax", "1"))},
        {"prepare": (Step("minmax", "2"), Step("unit-rows", "1"))},
        {"prepare": (Step("minmax", "1", params={"highest": 2}), Step("unit-rows", "1"))},
        {"protocol": PROTOCOLS["mkkm"]},
        {"protocol": PROTOCOLS["average"].with_restarts(3)},
        {"seed": 1},
        {"repeat": 3},
    ],
    ids=str,
)
def test_what_can_change_the_result_changes_the_key(change):
    assert replace(TRIAL, **change).key != TRIAL.key


@pytest.mark.parametrize(
    "change",
    [
        {"source": Source(dataset="digits", name="the same numbers under another name")},
        {"picks_by_labels": "view"},
        {"spec": AlgorithmSpec(name="apmc", target="somewhere.else:APMC", summary="the same, by another way")},
        {"corruptions": (Step("missing-even", "1", 0.3, {}),)},
        {"params": {"sigma": None, "n_neighbors": 10}},
        {"protocol": replace(PROTOCOLS["average"], name="other", summary="the same settings", repeats=99)},
    ],
    ids=str,
)
def test_what_cannot_change_the_result_does_not_change_the_key(change):
    assert replace(TRIAL, **change).key == TRIAL.key


def test_the_key_is_stable():
    """A change of this number makes every stored result run again: raise KEY_SCHEMA when that is meant."""
    assert TRIAL.key == "5f622fca3a6383f958938913789941e1d58ed8fbdf16be92339ea2db0cddb677"


EVEN, NOISE = Step("missing-even", "1", 0.3), Step("gaussian", "1", 10.0)

# seeds of the corruptions, of the algorithm, of three restarts, of the data
IN_TWO = replace(TRIAL, corruptions=(Step("missing-blocks", "1", 0.3, {"n_groups": 2}),))
SEEDS = [
    ({}, [3612206601], 2013556512, [2041005599, 2125651887, 3330912911], 1742701110),
    ({"algorithm": "concat", "params": {}, "prepare": ()}, [3612206601], 2647998909,
     [2041005599, 2125651887, 3330912911], 1742701110),
    ({"corruptions": ()}, [], 4180583618, [3184718935, 1415921401, 2887260935], 1742701110),
    ({"corruptions": (EVEN, NOISE)}, [3612206601, 1660255901], 1761985944,
     [3695853650, 3849505980, 1505563225], 1742701110),
    ({"corruptions": (NOISE, NOISE)}, [4038026450, 1660255901], 1954312608,
     [2098976010, 1617857990, 4112419995], 1742701110),
    ({"corruptions": (replace(EVEN, rate=0.5),), "seed": 5, "repeat": 0}, [3289251366], 2007116342,
     [400670508, 4150727461, 3684929238], 4149555883),
    ({"content": "generated:spirals:1", "seed": -1, "repeat": 7}, [1547080121], 1028091482,
     [1847784244, 1040619458, 3782762862], 527274926),
    ({"corruptions": (replace(NOISE, rate=math.inf),)}, [862279780], 1167988986,
     [3755464651, 1146080115, 2377466960], 1742701110),
]  # fmt: skip


@pytest.mark.parametrize(("change", "corruptions", "algorithm", "restarts", "data"), SEEDS, ids=str)
def test_seeds_are_what_they_have_always_been(change, corruptions, algorithm, restarts, data):
    """Another seed is another result under the same key: whoever changes one raises KEY_SCHEMA.

    Every method sees the same masks: the second row has the first's seeds of corruptions and data.
    """
    trial = replace(TRIAL, protocol=PROTOCOLS["average"].with_restarts(3), **change)
    assert [trial.corruption_seed(i) for i in range(len(trial.corruptions))] == corruptions
    assert (trial.algorithm_seed, trial.restart_seeds(), trial.data_seed) == (algorithm, restarts, data)


@given(st.floats(0, 1) | st.floats(min_value=0), st.floats(0, 1) | st.floats(-1e-7, 1e-7))
def test_no_two_rates_share_a_seed(rate, shift):
    """Not even rates that read alike."""
    one, other = (replace(TRIAL, corruptions=(replace(EVEN, rate=value),)) for value in (rate, abs(rate + shift)))
    same = one.rate == other.rate
    assert (one.key == other.key) is same
    assert (one.algorithm_seed == other.algorithm_seed) is same
    assert (one.restart_seeds() == other.restart_seeds()) is same
    assert (one.corruption_seed(0) == other.corruption_seed(0)) is same


@pytest.mark.parametrize("rate", [1 / 3, 10**0.5, 1234567.0])
def test_a_rate_that_six_digits_do_not_say_runs_again(rate):
    """Its seeds were those of the rate that six digits say; a round rate's stay."""
    precise, rounded = (replace(TRIAL, corruptions=(replace(EVEN, rate=one),)) for one in (rate, float(f"{rate:g}")))
    assert (precise.identity()["seeds"], "seeds" in rounded.identity()) == (2, False)
    assert precise.algorithm_seed != rounded.algorithm_seed


@pytest.mark.parametrize(
    "trial", [TRIAL, IN_TWO, replace(TRIAL, prepare=(Step("knn", "1", params={"k": 5, "own": None}),))], ids=str
)
def test_a_trial_comes_back_from_its_identity(trial):
    back = Trial.from_identity(json.loads(json.dumps(trial.identity())), trial.source)
    assert (back.key, back.corruptions, back.prepare) == (trial.key, trial.corruptions, trial.prepare)
    assert back.corruption_seed(0) == trial.corruption_seed(0)
    assert (back.data_seed, back.algorithm_seed, back.restart_seeds()) == (
        trial.data_seed,
        trial.algorithm_seed,
        trial.restart_seeds(),
    )


def test_more_restarts_keep_the_first_seeds():
    few = replace(TRIAL, protocol=PROTOCOLS["average"].with_restarts(5))
    assert TRIAL.restart_seeds()[:5] == few.restart_seeds()
    assert len(set(TRIAL.restart_seeds())) == 20


def test_words_for_corruptions():
    assert (TRIAL.corruption, TRIAL.rate) == ("missing-even", 0.3)
    assert (replace(TRIAL, corruptions=()).corruption, replace(TRIAL, corruptions=()).rate) == ("none", 0.0)
    two = replace(TRIAL, corruptions=(*TRIAL.corruptions, Step("gaussian", "1", 10.0)))
    assert two.corruption == "missing-even+gaussian:10"
    assert (IN_TWO.corruption, str(IN_TWO.corruptions[0])) == (
        "missing-blocks[n_groups=2]",
        "missing-blocks[n_groups=2]:0.3",
    )
    assert str(Step("knn", "1", params={"own": None, "k": 5})) == "knn[k=5,own=None]"
