"""Every transform, corruption and metric of mvarena, and its data sets that need no download, pass every check."""

from __future__ import annotations

from mvarena.contracts.specs import Component, Spec
from mvarena.registry.catalog import installed_catalog
from mvarena.testing import parametrize_with_checks
from mvarena.testing.suites import BoundCheck

CATALOG = installed_catalog()
BUNDLED = [CATALOG.dataset(name) for name in ("digits", "synthetic-apmc", "synthetic-emvc")]


def ours(kind: Component) -> list[Spec]:
    return [spec for spec in CATALOG.specs(kind) if CATALOG.plugin_of(spec).distribution == "mvarena"]


@parametrize_with_checks([*ours("transform"), *ours("corruption"), *ours("metric"), *BUNDLED])
def test_conformance(check: BoundCheck):
    check()
