"""What components say of themselves: labels, bounds, directions, words."""

from __future__ import annotations

import math

import pytest

from mvarena.contracts.specs import AlgorithmSpec, MetricSpec
from mvarena.registry.catalog import Catalog, installed_catalog
from mvarena.report.context import Context, context_of

LOSE = "the fraction of samples that lose a view"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("labelled", "A Labelled One"),
        ("labelled (n_neighbors=7)", "A Labelled One (n_neighbors=7)"),
        ("labelled-more", "labelled-more"),
        ("labelled.py", "labelled.py"),
        ("apmc (m=7)", "apmc (m=7)"),
        ("Unheard of", "Unheard of"),
    ],
)
def test_a_label_stands_for_the_name_alone(context: Context, name: str, shown: str) -> None:
    assert context.contestant(name) == shown


@pytest.mark.parametrize("name", ["toy.mat", "my/toy.npz", "toys", "toy-more", ""])
def test_a_file_is_not_taken_for_a_data_set(context: Context, name: str) -> None:
    assert context.dataset(name) == name


def test_two_that_would_read_alike_keep_their_names() -> None:
    said = {"target": "m:f", "summary": "", "label": "MIC"}
    context = Context(algorithms={name: AlgorithmSpec(name=name, **said) for name in ("mic", "another-mic")})
    assert context.contestants(["mic", "x"]) == {"mic": "MIC", "x": "x"}
    assert context.contestants(["mic", "another-mic"]) == {"mic": "mic", "another-mic": "another-mic"}


def test_a_metric_that_nobody_announces_is_shown_as_it_is(context: Context) -> None:
    assert context.metric("unheard-of") == "unheard-of"
    assert not context.in_percent("unheard-of")
    assert context.bounds("unheard-of") == (-math.inf, math.inf)


def test_only_what_ends_at_one_is_in_percent(context: Context) -> None:
    assert [context.in_percent(metric) for metric in ("acc", "error", "spread")] == [True, True, False]


@pytest.mark.parametrize(
    ("corruption", "axis", "means"),
    [
        ("missing-even", "missing rate (missing-even)", LOSE),
        ("missing-even+gaussian:10", "missing rate (missing-even+Gaussian:10)", LOSE),
        ("gaussian", "signal-to-noise ratio (Gaussian)", "a ratio"),
        ("unheard-of", "rate (unheard-of)", ""),
    ],
)
def test_the_rate_is_that_of_the_first_corruption(context: Context, corruption: str, axis: str, means: str) -> None:
    assert (context.rate_axis(corruption), context.rate_means(corruption)) == (axis, means)


def test_notes_come_from_what_data_say_of_themselves() -> None:
    notes = context_of(installed_catalog(), ["digits", "digits[fou,fac]", "synthetic-apmc"]).dataset_notes
    assert notes["digits"].startswith("2000 samples, 10 classes, views fou (76), fac (216), kar (64)")
    assert notes["digits[fou,fac]"] == "10 classes, views fou (76), fac (216)"
    assert notes["synthetic-apmc"] == installed_catalog().dataset("synthetic-apmc").summary


@pytest.mark.parametrize("name", ["gone-with-its-plugin", "gone[a,b]", "my/digits.mat", "x.mat?orientation=columns"])
def test_what_no_plugin_provides_has_no_note(name: str) -> None:
    assert context_of(installed_catalog(), [name]).dataset_notes == {}


def test_directions_are_those_of_the_catalog() -> None:
    directions = context_of(installed_catalog(), []).directions
    assert directions["acc"]
    assert not directions["entropy"]


def test_every_installed_metric_has_a_range() -> None:
    for spec in installed_catalog().specs("metric"):
        assert isinstance(spec, MetricSpec)
        assert spec.lowest < spec.highest


def test_without_plugins_everything_goes_by_its_name() -> None:
    assert context_of(Catalog([]), ["digits"]) == Context()
