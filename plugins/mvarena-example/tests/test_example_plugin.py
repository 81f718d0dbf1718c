"""What mvarena asks of every algorithm and metric."""

from __future__ import annotations

from mvarena_example.specs import ALGORITHMS, METRICS

from mvarena.testing import parametrize_with_checks


@parametrize_with_checks([*ALGORITHMS, *METRICS])
def test_conformance(check):
    check()
