"""Every algorithm of mvarena passes every check that an algorithm must pass."""

from __future__ import annotations

from built_in import ours

from mvarena.testing import parametrize_with_checks
from mvarena.testing.suites import BoundCheck


@parametrize_with_checks(ours("algorithm"))
def test_conformance(check: BoundCheck):
    check()
