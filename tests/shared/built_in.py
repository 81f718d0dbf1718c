"""The components that mvarena itself announces."""

from __future__ import annotations

from mvarena.contracts.specs import Component, Spec
from mvarena.registry.catalog import installed_catalog

CATALOG = installed_catalog()


def ours(kind: Component) -> list[Spec]:
    """Every spec of that kind in this distribution, not those of plugins that happen to be installed."""
    return [spec for spec in CATALOG.specs(kind) if CATALOG.plugin_of(spec).distribution == "mvarena"]
