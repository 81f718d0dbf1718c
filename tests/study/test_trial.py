"""Keys: nothing that matters changes without them, nothing else changes them. Seeds are scoped."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.study.protocol import PROTOCOLS
from mvarena.study.seeds import seed_for
from mvarena.study.trial import Step, Trial

TRIAL = Trial(
    algorithm="apmc",
    algorithm_version="1",
    params={"n_neighbors": 10, "sigma": None},
    dataset="digits[fou,fac]",
    content="ab" * 32,
    corruptions=(Step("missing-even", "1", 0.3),),
    prepare=(Step("minmax", "1"), Step("unit-rows", "1")),
    protocol=PROTOCOLS["fair"],
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
        {"prepare": (Step("unit-rows", "1"), Step("minmax", "1"))},
        {"prepare": (Step("minmax", "2"), Step("unit-rows", "1"))},
        {"protocol": PROTOCOLS["mkkm"]},
        {"protocol": PROTOCOLS["fair"].with_restarts(3)},
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
        {"dataset": "the same numbers under another name"},
        {"picks_by_labels": "view"},
        {"params": {"sigma": None, "n_neighbors": 10}},
        {"protocol": replace(PROTOCOLS["fair"], name="other", summary="the same settings", trials=99)},
    ],
    ids=str,
)
def test_what_cannot_change_the_result_does_not_change_the_key(change):
    assert replace(TRIAL, **change).key == TRIAL.key


def test_the_key_is_stable():
    """A change of this number makes every stored result run again: raise KEY_SCHEMA when that is meant."""
    assert TRIAL.key == "5f622fca3a6383f958938913789941e1d58ed8fbdf16be92339ea2db0cddb677"


def test_a_trial_comes_back_from_its_identity():
    back = Trial.from_identity(json.loads(json.dumps(TRIAL.identity())), TRIAL.dataset)
    assert back.key == TRIAL.key
    assert back.corruption_seed(0) == TRIAL.corruption_seed(0)
    assert (back.data_seed, back.algorithm_seed, back.restart_seeds()) == (
        TRIAL.data_seed,
        TRIAL.algorithm_seed,
        TRIAL.restart_seeds(),
    )


def test_every_method_sees_the_same_masks():
    other = replace(TRIAL, algorithm="concat", params={}, prepare=(), protocol=PROTOCOLS["mkkm"])
    assert other.corruption_seed(0) == TRIAL.corruption_seed(0)
    assert other.data_seed == TRIAL.data_seed
    for change in (
        {"repeat": 3},
        {"seed": 1},
        {"content": "cd" * 32},
        {"corruptions": (Step("missing-even", "1", 0.5),)},
    ):
        assert replace(TRIAL, **change).corruption_seed(0) != TRIAL.corruption_seed(0)


def test_more_restarts_keep_the_first_seeds():
    few = replace(TRIAL, protocol=PROTOCOLS["fair"].with_restarts(5))
    assert TRIAL.restart_seeds()[:5] == few.restart_seeds()
    assert len(set(TRIAL.restart_seeds())) == 20


def test_words_for_corruptions():
    assert (TRIAL.corruption, TRIAL.rate) == ("missing-even", 0.3)
    assert (replace(TRIAL, corruptions=()).corruption, replace(TRIAL, corruptions=()).rate) == ("none", 0.0)
    two = replace(TRIAL, corruptions=(*TRIAL.corruptions, Step("gaussian", "1", 10.0)))
    assert two.corruption == "missing-even+gaussian:10"


@given(st.integers(0, 2**63), st.lists(st.text(max_size=5) | st.integers(0, 9), max_size=4))
def test_seeds_are_32_bit_and_depend_on_the_whole_scope(root, scope):
    assert 0 <= seed_for(root, *scope) < 2**32
    assert seed_for(root, *scope) == seed_for(root, *scope)
    assert seed_for(root, *scope) != seed_for(root, *scope, "more")
