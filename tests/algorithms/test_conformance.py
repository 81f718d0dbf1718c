"""Every algorithm of mvarena passes every check that an algorithm must pass."""

from __future__ import annotations

from mvarena.registry.catalog import installed_catalog
from mvarena.testing import parametrize_with_checks
from mvarena.testing.checks import BoundCheck

CATALOG = installed_catalog()
OURS = [spec for spec in CATALOG.specs("algorithm") if CATALOG.plugin_of(spec).distribution == "mvarena"]


@parametrize_with_checks(OURS)
def test_conformance(check: BoundCheck):
    check()
