"""Which family an algorithm belongs to: the package of mvarena that holds it, or the distribution that brings it."""

from __future__ import annotations

from mvarena.contracts.specs import AlgorithmSpec
from mvarena.registry.catalog import Catalog

_BUILT_IN = "mvarena.algorithms."


def family_of(spec: AlgorithmSpec) -> str:
    """'graph' of `mvarena.algorithms.graph.apmc:APMC`; of any other, the top-level package of its target."""
    module = spec.target.partition(":")[0]
    if module.startswith(_BUILT_IN):
        return module.removeprefix(_BUILT_IN).partition(".")[0]
    return module.partition(".")[0]


def families(catalog: Catalog) -> dict[str, str]:
    """Algorithm -> its family, for all that are installed."""
    return {spec.name: family_of(spec) for spec in catalog.specs("algorithm") if isinstance(spec, AlgorithmSpec)}
