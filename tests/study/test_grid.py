"""The lazy grid of a plan equals the product that it stands for, and a huge one costs nothing."""

from __future__ import annotations

import tracemalloc
from itertools import islice, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.contracts.source import Source
from mvarena.contracts.trial import Step, Trial
from mvarena.registry.catalog import installed_catalog
from mvarena.study.grid import Entry, Part, TrialGrid
from mvarena.study.protocols import PROTOCOLS

PROTOCOL = PROTOCOLS["fair"]
POINTS = [(), (Step("missing-even", "1", 0.1),), (Step("missing-even", "1", 0.2),)]


def entry(scale: int) -> Entry:
    return Entry(installed_catalog().algorithm("toy-quick"), {"scale": scale}, (Step("minmax", "1"),))


def block(dataset: str, content: str, points: list[int], scales: list[int]) -> Part:
    return Part(Source(dataset=dataset), content, tuple(POINTS[i] for i in points), tuple(map(entry, scales)))


def spelt_out(blocks: list[Part], n_repeats: int) -> list[Trial]:
    """The product, one by one, without the constructor that the grid uses."""
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
    grid = TrialGrid(blocks, n_repeats, PROTOCOL, 3)
    assert {trial.key: trial for trial in spelt_out(blocks, n_repeats)} == {trial.key: trial for trial in grid}
    listed = list(grid)
    assert len(listed) == len(grid) == len({trial.key for trial in listed})
    assert [grid[place] for place in range(len(grid))] == listed
    assert grid[:] == tuple(listed)
    assert grid[1:-1:2] == tuple(listed[1:-1:2])
    settings = {(one.content, one.source.name, one.params["scale"]) for one in listed}
    assert {(one.content, one.source.name, one.params["scale"]) for one in grid.samples()} == settings


def test_entries_vary_fastest_then_repeats_then_points():
    grid = TrialGrid([block("a", "same", [1, 2], [1, 2])], 2, PROTOCOL, 0)
    assert [(one.rate, one.repeat, one.params["scale"]) for one in grid] == list(product([0.1, 0.2], [0, 1], [1, 2]))


def test_places_outside_are_refused():
    grid = TrialGrid([block("a", "same", [0], [1])], 2, PROTOCOL, 0)
    assert grid[-1] == grid[1]
    for place in (2, -3):
        with pytest.raises(IndexError, match="there are 2 trials"):
            grid[place]


def test_a_billion_trials_take_no_more_memory_than_ten():
    tracemalloc.start()
    try:
        grid = TrialGrid([block("a", "same", [0, 1, 2], [1, 2, 3])], 120_000_000, PROTOCOL, 0)
        assert len(grid) == 9 * 120_000_000
        assert grid[-1].repeat == 120_000_000 - 1
        assert len(list(islice(grid, 1000))) == 1000
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()
