"""What mvarena asks of every algorithm."""

from __future__ import annotations

from mvarena.testing import parametrize_with_checks

from mvarena_omics.specs import ALGORITHMS


@parametrize_with_checks([*ALGORITHMS])
def test_conformance(check):
    check()
