"""The corruptions whose rate counts what each view misses: how many, which ones, and what they depend on."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.stats import rankdata

from mvarena.contracts.corruption import count_at
from mvarena.corruptions.missing_per_view import (
    MissingByValue,
    MissingPerView,
    MissingUnbalanced,
    losses_per_view,
    norm_ranks,
)
from mvarena.data import MultiViewData, View
from mvarena.errors import InvalidSetting


def drawn_views(n, n_views=3, n_classes=4, seed=0):
    rng = np.random.default_rng(seed)
    arrays = [rng.standard_normal((n, 3 + v)) for v in range(n_views)]
    return MultiViewData.from_arrays(arrays, labels=np.arange(n) % n_classes)


def lost_by(corruption, data, rate, seed=0):
    return ~corruption.apply(data, rate, np.random.default_rng(seed)).mask


def norms(data):
    return np.column_stack([np.linalg.norm(view.matrix, axis=1) for view in data.views])


# missing-per-view


@pytest.mark.parametrize(("n", "n_views"), [(7, 2), (8, 3), (10, 4), (2000, 6)])
def test_one_deletion_per_view_more_than_the_largest_rate_is_impossible(n, n_views):
    data = drawn_views(n, n_views)
    for corruption in (MissingPerView(), MissingByValue()):
        count = round(corruption.largest_rate(data) * n)
        assert n_views * count <= n * (n_views - 1) < n_views * (count + 1)


@pytest.mark.parametrize("weights", [None, 1.0])
def test_missing_per_view_draws_every_possible_mask_alike(weights):
    n, count, draws = 20, 12, 1200
    rng = np.random.default_rng(0)
    equal = None if weights is None else np.full((n, 3), weights)
    masks = [losses_per_view(n, np.full(3, count), rng, equal) for _ in range(draws)]
    found = np.bincount([(lost.sum(axis=1) == 2).sum() for lost in masks], minlength=n + 1)
    expected = draws * losing_two_of_three(n, count)
    usual = expected > 5
    chi_square = ((found - expected)[usual] ** 2 / expected[usual]).sum()
    assert chi_square < usual.sum() + 4 * np.sqrt(2 * usual.sum())


def losing_two_of_three(n, count):
    """(n + 1,) chance of so many samples losing two of three views, all masks being equally likely.

    Two views share `both` deletions; the third deletes none of these, and `mixed` that one of the two deletes.
    """
    ways = np.zeros(n + 1)
    for both in range(max(0, 2 * count - n), count + 1):
        for mixed in range(count + 1):
            one_of_two, neither = 2 * (count - both), n - 2 * count + both
            third = comb(one_of_two, mixed) * comb(neither, count - mixed)
            if third:
                ways[both + mixed] += comb(count, both) * comb(n - count, count - both) * third
    return ways / ways.sum()


# missing-unbalanced


@settings(deadline=None, max_examples=50)
@given(
    n=st.integers(2, 60),
    shares=st.lists(st.floats(0, 10) | st.just(0.0), min_size=2, max_size=6).filter(lambda shares: max(shares) > 0.01),
    part=st.one_of(st.floats(0, 1), st.just(1.0)),
    seed=st.integers(0, 99),
)
def test_each_view_misses_its_share_and_all_of_them_the_rate(n, shares, part, seed):
    data = drawn_views(n, len(shares))
    corruption = MissingUnbalanced(shares=shares)
    rate = part * corruption.largest_rate(data)
    lost = lost_by(corruption, data, rate, seed)
    total = count_at(rate, n * len(shares))
    assert lost.sum() == total
    assert (np.abs(lost.sum(axis=0) - total * np.array(shares) / sum(shares)) < 1 + 1e-9).all()
    assert not lost.all(axis=1).any()
    assert not lost.all(axis=0).any()


def test_without_shares_any_view_is_the_one_that_misses_most():
    data = drawn_views(60)
    draws = 600
    orders = Counter(tuple(lost_by(MissingUnbalanced(), data, 0.2, seed).sum(axis=0)) for seed in range(draws))
    assert set(orders) == set(permutations((6, 12, 18)))
    assert max(abs(count - draws / 6) for count in orders.values()) < 5 * np.sqrt(draws * 5 / 36)


@pytest.mark.parametrize(
    ("n", "n_views", "shares", "largest"),
    [
        (10, 2, None, 10 / 20),  # a sample keeps a view: 10 of 20 rows, 3 and 7 of the views
        (10, 6, None, 31 / 60),  # the view of the largest share keeps a sample: 9 of 10 is 6 of 21 shares
        (10, 3, [0, 0, 1], 9 / 30),
        (10, 3, [1, 1, 1], 20 / 30),
    ],
)
def test_the_largest_rate_leaves_each_sample_a_view_and_each_view_a_sample(n, n_views, shares, largest):
    assert MissingUnbalanced(shares=shares).largest_rate(drawn_views(n, n_views)) == pytest.approx(largest)


@pytest.mark.parametrize("shares", [[1, 2], [0, 0, 0], [1, 2, 3, 4]])
def test_shares_that_do_not_fit_the_views_are_refused(shares):
    with pytest.raises(InvalidSetting, match=r"missing-unbalanced\.shares must be 3 numbers for the 3 views of data"):
        lost_by(MissingUnbalanced(shares=shares), drawn_views(10), 0.2)
    with pytest.raises(InvalidSetting, match=r"missing-unbalanced\.shares must be a list, each a number of at least 0"):
        MissingUnbalanced(shares=[1, -2, 1])


# missing-by-value


@pytest.mark.parametrize("odds", [10.0, 0.1])
def test_a_single_deletion_follows_the_weights(odds):
    n, draws = 4, 600
    data = drawn_views(n, 2)
    lost = np.array([lost_by(MissingByValue(odds=odds), data, 1 / n, seed) for seed in range(draws)])
    found = np.zeros((n, n))
    np.add.at(found, (lost[:, :, 0].argmax(axis=1), lost[:, :, 1].argmax(axis=1)), 1)
    weights = odds ** ((rankdata(norms(data), axis=0) - 1) / (n - 1))
    # no sample loses both of the views, and nothing else ties the two draws
    expected = np.outer(weights[:, 0], weights[:, 1]) * (1 - np.eye(n))
    expected *= draws / expected.sum()
    assert (found.diagonal() == 0).all()
    apart = ~np.eye(n, dtype=bool)
    chi_square = ((found - expected)[apart] ** 2 / expected[apart]).sum()
    degrees = n * n - n - 1
    assert chi_square < degrees + 4 * np.sqrt(2 * degrees)


def test_a_factor_of_a_view_a_rotation_and_rounding_change_no_mask():
    data = drawn_views(80)
    rotation = np.linalg.qr(np.random.default_rng(1).standard_normal((3, 3)))[0]
    first, second, third = (view.matrix for view in data.views)
    same = MultiViewData.from_arrays([first @ rotation, 7 * second, third * (1 + 1e-14)], labels=data.labels)
    for seed in range(5):
        lost, again = (lost_by(MissingByValue(), item, 0.4, seed) for item in (data, same))
        np.testing.assert_array_equal(lost, again)


def test_rows_of_equal_norm_go_missing_alike():
    data = drawn_views(50)
    unit = data.with_views(
        [replace(v, matrix=v.matrix / np.linalg.norm(v.matrix, axis=1)[:, None]) for v in data.views]
    )
    assert (norm_ranks(unit.views[0]) == 0.5).all()
    zeros = View("zeros", np.zeros((5, 2)))
    assert (norm_ranks(zeros) == 0.5).all()


@pytest.mark.parametrize("kept", [np.float32, sparse.csr_array])
def test_ranks_are_those_of_dense_double_precision(kept):
    # squares that single precision cannot tell apart, of values that it holds exactly
    matrix = np.column_stack([np.ones(60), np.random.default_rng(0).permutation(60) * 2.0**-12])
    np.testing.assert_array_equal(norm_ranks(View("a", matrix)), matrix[:, 1] * 2.0**12 / 59)
    np.testing.assert_array_equal(norm_ranks(View("a", kept(matrix))), norm_ranks(View("a", matrix)))


def test_by_class_each_view_misses_some_classes_more_often_by_the_odds():
    n, draws = 400, 300
    data = drawn_views(n, 2, n_classes=2)
    corruption = MissingByValue(by="class", odds=9.0)
    lost = np.array([lost_by(corruption, data, 0.025, seed) for seed in range(draws)])
    of_class = np.stack([lost[:, data.labels == c].sum(axis=1) for c in (0, 1)], axis=-1)  # draw, view, class
    assert (of_class.sum(axis=-1) == 10).all()
    # 9 of 10 deletions are of the class that is drawn to come last
    assert of_class.max(axis=-1).mean() == pytest.approx(9, abs=0.2)
    first_class_most = of_class[..., 0] > 5
    share = first_class_most.mean(axis=0)
    np.testing.assert_allclose(share, 0.5, atol=5 * 0.5 / np.sqrt(draws))
    # the views take the classes in orders of their own
    assert (first_class_most[:, 0] == first_class_most[:, 1]).mean() == pytest.approx(0.5, abs=5 * 0.5 / np.sqrt(draws))


def test_by_class_counts_unlabelled_samples_as_a_class_and_needs_labels():
    data = drawn_views(200, 2)
    some = replace(data, labels=np.where(np.arange(200) < 50, -1, data.labels), classes=None)
    masks = [lost_by(MissingByValue(by="class", odds=1e6), some, 0.2, seed) for seed in range(40)]
    unlabelled = np.array([lost[:50].mean(axis=0) for lost in masks])
    assert unlabelled.max() > 0.7
    assert unlabelled.min() == 0
    with pytest.raises(InvalidSetting, match=r"no labels; use missing-by-value\.by=norm instead"):
        MissingByValue(by="class").largest_rate(data.without_labels())
    assert lost_by(MissingByValue(), data.without_labels(), 0.2).any()


# both


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        (MissingUnbalanced, {}),
        (MissingUnbalanced, {"shares": [1, 2, 6, 3]}),
        (MissingByValue, {}),
        (MissingByValue, {"by": "class"}),
    ],
)
def test_another_order_of_the_views_reorders_the_mask_and_changes_nothing_else(kind, parameters):
    data = drawn_views(60, 4)
    for order in ([3, 1, 0, 2], [1, 0, 2, 3]):
        other = data.select_views([data.view_names[v] for v in order])
        shares = {name: [value[v] for v in order] for name, value in parameters.items() if name == "shares"}
        for rate in (0.1, 0.3):
            lost = lost_by(kind(**parameters), data, rate, seed=3)
            reordered = lost_by(kind(**parameters | shares), other, rate, seed=3)
            np.testing.assert_array_equal(reordered, lost[:, order])
