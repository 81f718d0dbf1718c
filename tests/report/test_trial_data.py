"""Figures that are drawn on request: the patterns of what is missing, and the space of one trial."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_kinds import drawn_trial, holes, outside

from mvarena.data import MultiViewData, View
from mvarena.engine.replay import Space
from mvarena.report.figures.embedding import matched, points, principal_plane
from mvarena.report.figures.missing import missing_points
from mvarena.report.kinds import draw
from mvarena.report.trial_data import patterns


@given(st.integers(2, 60), st.integers(1, 5), st.integers(0, 1000))
def test_patterns_count_every_sample_once(n: int, n_views: int, seed: int) -> None:
    mask = np.random.default_rng(seed).random((n, n_views)) < 0.6
    mask[np.arange(n), np.random.default_rng(seed).integers(n_views, size=n)] = True
    mask[0] = True
    views = tuple(View(f"v{i}", np.ones((n, 1))) for i in range(n_views))
    found = patterns(MultiViewData("x", views, mask))
    counts = found.drop_duplicates("pattern")["n"]
    assert counts.sum() == n
    missing = found[~found["observed"]].groupby("view")["n"].sum()
    assert {view: int(missing.get(view, 0)) for view in found["view"].unique()} == {
        f"v{i}": int((~mask[:, i]).sum()) for i in range(n_views)
    }
    observed = found.groupby("pattern")["observed"].sum()
    assert observed.is_monotonic_decreasing  # complete samples first


def test_complete_data_have_nothing_to_show(context) -> None:
    found = holes("toy", 0.3)
    assert missing_points(found.assign(observed=True), context).empty
    shown = missing_points(found, context)
    assert shown["title"].unique().tolist() == ["Toy Data"]
    assert shown["condition"].unique().tolist() == ["missing-even at rate 0.3"]


def test_many_views_and_rates_fit(context) -> None:
    rng = np.random.default_rng(0)
    mask = rng.random((40, 30)) < 0.5
    mask[:, 0] = True
    mask[0] = True
    data = MultiViewData("x", tuple(View(f"view{i}", np.ones((40, 1))) for i in range(30)), mask)
    parts = [patterns(data).assign(dataset="x", corruption="missing-even", rate=rate / 10) for rate in range(9)]
    figure, _ = draw("missing", missing_points(pd.concat(parts), context), None)
    assert len([axis for axis in figure.axes if axis.axison]) == 6
    assert outside(figure) == []


def test_clusters_are_matched_to_classes_one_to_one() -> None:
    classes = np.array([0, 0, 0, 1, 1, 1, 2, 2, -1])
    clusters = np.array([5, 5, 5, 3, 3, 5, 7, 7, 9])
    found = matched(Space(np.zeros((9, 2)), None, clusters, classes))
    assert found[:8].tolist() == [0, 0, 0, 1, 1, 0, 2, 2]
    assert found[8] < -1  # a cluster beyond the classes


def test_the_plane_keeps_what_a_rotation_cannot_change() -> None:
    rng = np.random.default_rng(0)
    cloud = rng.normal(size=(50, 3)) * [5.0, 2.0, 0.1]
    rotation, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    first, shares = principal_plane(cloud)
    second, again = principal_plane(cloud @ rotation)
    np.testing.assert_allclose(first, second, atol=1e-9)
    assert shares == pytest.approx(again)
    assert shares[0] > shares[1] > 0
    assert sum(shares) <= 1 + 1e-12
    for flat in (np.zeros((4, 3)), np.arange(4.0)[:, None]):
        places, shares = principal_plane(flat)
        assert places.shape == (4, 2)
        assert np.isfinite(places).all()
        assert shares[1] == pytest.approx(0.0)


def test_a_trial_without_classes_has_one_panel(results_of, long_frame) -> None:
    trial = replace(drawn_trial(), space=replace(drawn_trial().space, classes=None))
    results = results_of(long_frame.trial("apmc", {"acc": [0.5]}), drawn=[trial])
    figure, _ = draw("embedding", points(results), results.looks)
    assert outside(figure) == []
    assert len([axis for axis in figure.axes if axis.get_title()]) == 1


def test_an_embedding_of_one_class_more_than_there_are_colours(results_of, long_frame) -> None:
    n_groups = 40
    classes = np.repeat(np.arange(n_groups), 3)
    space = Space(np.random.default_rng(0).normal(size=(len(classes), 4)), None, classes[::-1].copy(), classes)
    results = results_of(long_frame.trial("apmc", {"acc": [0.5]}), drawn=[replace(drawn_trial(), space=space)])
    assert outside(draw("embedding", points(results), results.looks).figure) == []
