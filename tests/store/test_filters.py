"""One filter language: what fits, what does not, and what is said where nothing does."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_examples import STARTED, example_outcome, example_trial

from mvarena.contracts.outcome import Status
from mvarena.contracts.source import Source
from mvarena.contracts.trial import Step
from mvarena.errors import InvalidSetting, UnknownName
from mvarena.registry.catalog import installed_catalog
from mvarena.results import Results
from mvarena.store.cards import describe_components
from mvarena.store.database import Database
from mvarena.store.filters import Filter, chosen, fits, has_value, matching_keys, rate_test
from mvarena.store.frames import scores_frame
from mvarena.store.write_outcomes import record
from mvarena.study.adaptation import scaling_in
from mvarena.study.protocols import PROTOCOLS

TRIALS = {
    "apmc": example_trial(),
    "mic-low": example_trial(algorithm="mic", params={"beta": 0.1, "literal": False, "view": "fou"}),
    "mic-high": example_trial(algorithm="mic", params={"beta": 1.0, "literal": True, "view": None}),
    "other": example_trial(
        source=Source(dataset="webkb-cornell"),
        content="beef",
        protocol=PROTOCOLS["fair"],
        prepare=(Step("minmax", "1"),),
    ),
    "high-rate": example_trial(corruptions=(Step("missing-blocks", "1", 0.5, {"n_groups": 2}),)),
    "auto": example_trial(algorithm="concat", prepare=(Step("scale-auto", "1"), Step("fill-knn", "1"))),
}


@pytest.fixture
def filled(db: Database) -> Database:
    for name, trial in TRIALS.items():
        status = Status.FAILED if name == "mic-high" else Status.DONE
        started = STARTED + timedelta(days=1) if name == "auto" else STARTED
        record(db, trial, example_outcome(status, started_at=started))
    describe_components(db, TRIALS.values(), installed_catalog())
    return db


def found(db: Database, **words: object) -> set[str]:
    keys = set(matching_keys(db, chosen(db, Filter.of(**words))))
    return {name for name, trial in TRIALS.items() if trial.key in keys}


CASES = [
    ({}, set(TRIALS)),
    ({"algorithms": "mic"}, {"mic-low", "mic-high"}),
    ({"algorithms": ["m*", "conca?"]}, {"mic-low", "mic-high", "auto"}),
    ({"families": "nmf"}, {"mic-low", "mic-high"}),
    ({"families": ["graph", "base*"]}, {"apmc", "other", "high-rate", "auto"}),
    ({"datasets": "webkb-*"}, {"other"}),
    ({"datasets": "digits[fou,*]"}, set(TRIALS) - {"other"}),
    ({"params": "mic.beta=1e-1"}, {"mic-low"}),
    ({"params": ["mic.beta=0.1", "mic.beta=1"]}, {"mic-low", "mic-high"}),
    ({"params": ["beta=0.1", "beta=1", "literal=no"]}, {"mic-low"}),
    ({"params": "mic.view=none"}, {"mic-high"}),
    ({"rates": 0.3}, set(TRIALS) - {"high-rate"}),
    ({"rates": "0.4:"}, {"high-rate"}),
    ({"rates": "0.1:0.9:0.2"}, set(TRIALS)),
    ({"corruptions": "missing-blocks"}, {"high-rate"}),
    ({"corruptions": "missing-blocks[*]"}, {"high-rate"}),
    ({"scalings": "auto"}, {"auto"}),
    ({"scalings": "unit-rows"}, set(TRIALS) - {"auto", "other"}),
    ({"fillings": "knn"}, {"auto"}),
    ({"fillings": "none"}, {"other"}),
    ({"fillings": "mean", "scalings": "unit-rows"}, set(TRIALS) - {"auto", "other"}),
    ({"preparations": "scale-auto,fill-knn"}, {"auto"}),
    ({"preparations": ["scale-auto,fill-knn", "minmax"]}, {"auto", "other"}),
    ({"protocols": "fair"}, {"other"}),
    ({"statuses": "failed"}, {"mic-high"}),
    ({"algorithms": "mic", "statuses": "done", "rates": (0.3,)}, {"mic-low"}),
]


def test_what_fits(filled: Database) -> None:
    for words, expected in CASES:
        assert found(filled, **words) == expected, words


def test_the_scores_of_a_run_are_filtered_alike(filled: Database) -> None:
    frame = scores_frame(filled)
    for words, expected in CASES:
        keys = set(Results(frame).where(**words).scores["key"])
        assert {name for name, trial in TRIALS.items() if trial.key in keys} == expected, words


def test_an_attempt_that_another_replaced_fits_no_filter(db: Database) -> None:
    again, once = example_trial(), example_trial(algorithm="mic")
    record(db, again, example_outcome(Status.FAILED))
    record(db, again, example_outcome(started_at=STARTED + timedelta(days=1)), replaces=1)
    record(db, once, example_outcome(Status.FAILED))
    describe_components(db, [again, once], installed_catalog())
    assert matching_keys(db, chosen(db, Filter.of(statuses="failed"))) == [once.key]
    assert matching_keys(db, chosen(db, Filter.of(statuses="done"))) == [again.key]


NOTHING: list[tuple[dict[str, object], str]] = [
    ({"algorithms": "apcm"}, r"No stored algorithm matches 'apcm'. Did you mean apmc\? Stored are apmc, concat, mic"),
    ({"datasets": "webkp-*"}, r"No stored data set matches 'webkp-\*'. Stored are digits\[fou,fac\], webkb-cornell"),
    ({"families": "kernel"}, "No stored family matches 'kernel'. Stored are baselines, graph, nmf"),
    ({"params": "mic.beta=7"}, "No stored parameter matches 'mic.beta=7'.* Stored are mic.beta=0.1, mic.beta=1.0"),
    ({"params": "mic.gamma=7"}, "No stored parameter matches 'mic.gamma=7'"),
    ({"rates": 0.9}, "No stored rate matches '0.9'.* Stored are 0.3, 0.5"),
    ({"fillings": "means"}, "No stored filling matches 'means'.* Stored are knn, mean, none"),
    ({"statuses": "timeout"}, "No stored trial matches status timeout; remove a filter"),
    ({"algorithms": "mic", "scalings": "auto"}, "No stored trial matches algorithm mic, scaling auto; remove a filter"),
]


def test_a_filter_that_fits_nothing_says_what_there_is(filled: Database) -> None:
    for words, says in NOTHING:
        with pytest.raises(UnknownName, match=says):
            found(filled, **words)
    frame = scores_frame(filled)
    for words in ({"algorithms": "apcm"}, {"rates": 0.9}, {"params": "mic.beta=7"}):
        with pytest.raises(UnknownName):
            len(Results(frame).where(**words))


def test_words_that_cannot_be_read(filled: Database) -> None:
    for words in ({"rates": "x"}, {"rates": "5:1"}, {"statuses": "don"}, {"params": "beta"}, {"params": "=3"}):
        with pytest.raises(InvalidSetting):
            found(filled, **words)


@given(st.text(), st.text())
def test_a_pattern_fits_itself_and_a_star_fits_all(name: str, rest: str) -> None:
    assert fits(name, name)
    assert fits("*", name)
    assert fits(f"{name}*", name + rest)
    assert "*" in name or not fits(f"{name}?", name)


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_range_holds_its_ends_and_nothing_beyond(low: float, width: float) -> None:
    test = rate_test([f"{low!r}:{low + width!r}"])
    assert test(low)
    assert test(low + width)
    assert not test(low + width + 0.001)
    assert not test(low - 0.001)


@given(st.floats(allow_nan=False) | st.integers(-(2**40), 2**40))
def test_a_number_is_found_as_it_is_written(value: float) -> None:
    assert has_value(value, repr(value))


@pytest.mark.parametrize(
    ("prepare", "scaling"),
    [
        ("scale-auto,fill-knn", "auto"),
        ("fill-mean", "none"),
        ("", "none"),
        ("tfidf,unit-rows,fill-knn[k=3,weights=x],shift-nonnegative", "tfidf,unit-rows"),
        ("kernel-features[n_features=9],distance-features,unit-view,fill-knn", "none"),
        ("scale-auto,kernel-features,unit-view", "auto"),
        ("unit-view,kernel-features,fill-knn", "unit-view"),
    ],
)
def test_the_scaling_is_what_is_no_adaptation(prepare: str, scaling: str) -> None:
    assert scaling_in(prepare) == scaling
