"""The corruptions that remove samples: what the rate promises holds for every n, V, rate and seed."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import binom

from mvarena.contracts.corruption import count_at
from mvarena.corruptions.missing import MissingBlocks, MissingEven, MissingRandom, PairedRatio
from mvarena.corruptions.missing_per_view import MissingByValue, MissingPerView, MissingUnbalanced
from mvarena.corruptions.specs import SPECS
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting

EXACTLY_INCOMPLETE = (MissingEven, MissingBlocks, PairedRatio)
PER_VIEW = (MissingPerView, MissingUnbalanced, MissingByValue)
ALL = (*EXACTLY_INCOMPLETE, *PER_VIEW, MissingRandom)


def complete(n, n_views, n_classes=2):
    arrays = [np.full((n, 2), v + 1.0) for v in range(n_views)]
    return MultiViewData.from_arrays(arrays, labels=np.arange(n) % n_classes)


def spoil(corruption, data, rate, seed=0):
    return corruption.apply(data, rate, np.random.default_rng(seed))


sizes = {"n": st.integers(1, 60), "n_views": st.integers(2, 6), "seed": st.integers(0, 2**32 - 1)}
share = st.one_of(st.floats(0, 1), st.just(1.0))


@pytest.mark.parametrize("corruption", ALL)
@settings(deadline=None, max_examples=30)
@given(**sizes, share=share)
def test_every_sample_stays_seen_and_every_view_sees_one_up_to_the_largest_rate(corruption, n, n_views, seed, share):
    data = complete(n, n_views)
    rate = share * corruption().largest_rate(data)
    mask = spoil(corruption(), data, rate, seed).mask
    assert mask.any(axis=1).all()
    assert mask.any(axis=0).all()
    lost = ~mask
    if corruption in EXACTLY_INCOMPLETE:
        assert lost.any(axis=1).sum() == count_at(rate, n)
    elif corruption is MissingUnbalanced:
        assert lost.sum() == count_at(rate, n * n_views)
    elif corruption in PER_VIEW:
        assert (lost.sum(axis=0) == count_at(rate, n)).all()
    else:
        assert lost.any(axis=1).sum() <= count_at(rate, n)
    if corruption in (MissingEven, PairedRatio):
        assert np.ptp(lost.sum(axis=0)) <= 1
    if corruption is PairedRatio or (corruption is MissingEven and n_views == 2):
        assert (lost.sum(axis=1)[lost.any(axis=1)] == n_views - 1).all()


def test_missing_even_lets_any_set_of_views_go_missing_together():
    lost = ~spoil(MissingEven(), complete(4000, 4), 0.999, seed=1).mask
    patterns = Counter(tuple(row) for row in lost.tolist() if any(row))
    assert len(patterns) == 14  # 4 + 6 + 4 sets of one, two and three views
    for size, ways in ((1, 4), (2, 6), (3, 4)):
        each = [count for pattern, count in patterns.items() if sum(pattern) == size]
        assert abs(sum(each) - 1332) < 150
        assert all(abs(found - 1332 / ways) < 0.25 * 1332 / ways for found in each)


@pytest.mark.parametrize("n_views", [2, 3, 5])
def test_missing_random_follows_the_law_of_drawing_again_until_a_view_is_kept(n_views):
    drawn = 20000
    lost = ~spoil(MissingRandom(), complete(drawn + 1, n_views), drawn / (drawn + 1)).mask
    found = np.bincount(lost[lost.any(axis=1)].sum(axis=1), minlength=n_views)

    def chance(kept):  # of keeping so many views, over v0 uniform, given that one is kept
        return quad(lambda v0: binom.pmf(kept, n_views, 1 - v0) / (1 - v0**n_views), 0, 1)[0]

    expected = [drawn * chance(n_views - gone) for gone in range(1, n_views)]
    np.testing.assert_allclose(found[1:], expected, atol=5 * np.sqrt(drawn / 4))
    np.testing.assert_allclose(lost.mean(axis=0), lost.mean(), atol=0.02)


def test_missing_blocks_lose_any_number_of_views_and_any_of_them_alike():
    n_groups, n_views = 3000, 4
    lost = ~spoil(MissingBlocks(n_groups=n_groups), complete(2 * n_groups, n_views), 0.5).mask
    of_group = lost[lost.any(axis=1)]  # as many incomplete samples as groups: each is one
    numbers = np.bincount(of_group.sum(axis=1), minlength=n_views)
    expected, deviation = n_groups / 3, np.sqrt(n_groups * 2 / 9)
    np.testing.assert_allclose(numbers, [0, expected, expected, expected], atol=5 * deviation)
    np.testing.assert_allclose(of_group.mean(axis=0), 0.5, atol=5 * 0.5 / np.sqrt(n_groups))


def test_missing_blocks_lose_views_group_by_group():
    lost = ~spoil(MissingBlocks(n_groups=3), complete(300, 5), 0.5, seed=2).mask
    patterns = Counter(tuple(row) for row in lost.tolist() if any(row))
    assert len(patterns) <= 3
    assert all(count % 50 == 0 for count in patterns.values())


@pytest.mark.parametrize("corruption", ALL)
def test_an_impossible_rate_names_the_largest_and_data_that_can_lose_nothing_are_refused(corruption):
    largest = "0.6" if corruption in PER_VIEW else "0.9"
    for rate in (1.0, -0.1, float("nan")):
        with pytest.raises(InvalidSetting, match=f"not possible on data; choose one from 0 to {largest} "):
            spoil(corruption(), complete(10, 3), rate)
    with pytest.raises(InvalidSetting, match="at least two views: each sample keeps one view, and data has only one"):
        spoil(corruption(), complete(10, 1), 0.1)
    without = complete(4, 2).with_mask(np.array([[1, 0], [1, 0], [0, 1], [0, 1]], dtype=bool))
    assert corruption().largest_rate(without) == 0.0
    with pytest.raises(InvalidSetting, match="removes views of complete samples, and data has none"):
        spoil(corruption(), without, 0.25)


@pytest.mark.parametrize("corruption", ALL)
@settings(deadline=None, max_examples=20)
@given(n=st.integers(2, 40), n_views=st.integers(2, 5), gone=st.integers(1, 39), seed=st.integers(0, 99), share=share)
def test_where_samples_miss_views_already_the_rate_is_of_the_complete_ones(corruption, n, n_views, gone, seed, share):
    gone = min(gone, n - 1)
    present = np.ones((n, n_views), dtype=bool)
    present[:gone, 0] = False
    data = complete(n, n_views).with_mask(present)
    rate = share * corruption().largest_rate(data)
    mask = spoil(corruption(), data, rate, seed).mask
    np.testing.assert_array_equal(mask[:gone], data.mask[:gone])
    assert mask.any(axis=1).all()
    assert mask.any(axis=0).all()
    # what the complete ones lose is what they would lose alone
    alone = spoil(corruption(), data.take(np.arange(gone, n)), rate, seed).mask
    np.testing.assert_array_equal(mask[gone:], alone)
    if corruption in EXACTLY_INCOMPLETE:
        assert (~mask[gone:]).any(axis=1).sum() == count_at(rate, n - gone)


def test_halves_round_up_as_written():
    assert [count_at(rate, n) for rate, n in ((0.145, 100), (0.25, 10), (0.35, 10), (0.1, 4))] == [15, 3, 4, 0]


def test_those_that_make_samples_missing_are_announced_as_such():
    assert {spec.name for spec in SPECS if spec.makes_missing} == {corruption.spec.name for corruption in ALL}
