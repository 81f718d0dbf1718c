"""The trials of a plan: the product of what a study names, each trial once."""

from __future__ import annotations

import tracemalloc
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from mvarena.contracts.source import Source
from mvarena.contracts.trial import Step, Trial
from mvarena.registry.catalog import installed_catalog
from mvarena.study.grid import Entry, Part, trials_of
from mvarena.study.protocols import PROTOCOLS

PROTOCOL = PROTOCOLS["fair"]
POINTS = [(), (Step("missing-even", "1", 0.1),), (Step("missing-even", "1", 0.2),)]


def entry(scale: int) -> Entry:
    return Entry(installed_catalog().algorithm("toy-quick"), {"scale": scale}, (Step("minmax", "1"),))


def block(dataset: str, content: str, points: list[int], scales: list[int]) -> Part:
    return Part(Source(dataset=dataset), content, tuple(POINTS[i] for i in points), tuple(map(entry, scales)))


def spelt_out(blocks: list[Part], n_repeats: int) -> list[Trial]:
    """The product, one by one, without the function that a plan uses."""
    return [
        Trial(
            algorithm="toy-quick",
            algorithm_version=one.spec.version,
            params=one.params,
            source=each.source,
            content=each.content,
            corruptions=point,
            prepare=one.prepare,
            protocol=PROTOCOL,
            seed=3,
            repeat=repeat,
        )
        for each in blocks
        for point, repeat, one in product(each.points, range(n_repeats), each.entries)
    ]


some_points = st.lists(st.integers(0, 2), max_size=3)
some_scales = st.lists(st.integers(1, 3), max_size=4)
some_blocks = st.lists(
    st.builds(block, st.sampled_from("abc"), st.sampled_from(["same", "other"]), some_points, some_scales), max_size=4
)


@given(some_blocks, st.integers(1, 3))
def test_it_is_the_product_in_which_each_key_comes_once_under_its_last_name(blocks: list[Part], n_repeats: int):
    trials, product_ = trials_of(blocks, n_repeats, PROTOCOL, 3), spelt_out(blocks, n_repeats)
    assert {trial.key: trial for trial in product_} == {trial.key: trial for trial in trials}
    assert len(trials) == len({trial.key for trial in trials})
    places = [max(i for i, other in enumerate(product_) if other.key == trial.key) for trial in trials]
    assert places == sorted(places)


def test_entries_vary_fastest_then_repeats_then_points():
    trials = trials_of([block("a", "same", [1, 2], [1, 2])], 2, PROTOCOL, 0)
    assert [(one.rate, one.repeat, one.params["scale"]) for one in trials] == list(product([0.1, 0.2], [0, 1], [1, 2]))


def test_a_million_trials_take_less_than_a_gigabyte():
    tracemalloc.start()
    try:
        trials = trials_of([block("a", "same", [0, 1], [1, 2])], 2_500, PROTOCOL, 0)
        assert len(trials) == 10_000
        assert tracemalloc.get_traced_memory()[0] < 10_000_000
    finally:
        tracemalloc.stop()
