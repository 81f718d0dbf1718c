"""A small case whose labels and last loss are pinned: a change is one of results, and of the spec's version."""

from __future__ import annotations

import pytest
from test_methods import example, made

PINNED = {
    "ae-km": ([1, 1, 0, 2, 2, 2, 2, 1, 1, 0, 0, 0, 2, 1, 2, 0], 22.8955),
    "simvc": ([1, 2, 1, 2, 2, 0, 0, 1, 1, 1, 1, 1, 0, 1, 0, 1], 1.0081),
    "comvc": ([1, 2, 1, 2, 2, 0, 0, 1, 1, 1, 1, 1, 0, 1, 0, 1], 1.0623),
    "completer": ([1, 1, 2, 0, 2, 0, 0, 1, 1, 2, 2, 2, 0, 1, 0, 2], -85.4186),
    "dsimvc": ([1, 1, 0, 2, 0, 2, 2, 1, 1, 0, 0, 0, 2, 1, 2, 0], 26.6805),
    "proimp": ([1, 1, 2, 0, 2, 0, 0, 1, 1, 2, 2, 2, 0, 1, 0, 2], 22.9475),
    "mflvc": ([1, 1, 0, 2, 0, 2, 2, 1, 1, 0, 0, 0, 2, 1, 2, 0], 2.0409),
    "cpspan": ([0, 0, 1, 2, 1, 2, 2, 0, 0, 1, 1, 1, 2, 0, 2, 1], 23.6703),
    "rml": ([2, 2, 0, 1, 0, 1, 1, 2, 2, 0, 0, 0, 1, 2, 1, 0], 2.5445),
    "dcp": ([1, 1, 2, 0, 2, 0, 0, 1, 1, 2, 2, 2, 0, 1, 0, 2], -46.6042),
}


@pytest.mark.parametrize("name", PINNED)
def test_pinned(name):
    labels, loss = PINNED[name]
    found = made(name, max_iter=8).fit(example(name, n=16, missing=0.2))
    assert found.labels_.tolist() == labels
    assert found.objective_[-1] == pytest.approx(loss, rel=1e-3)
