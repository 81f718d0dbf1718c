"""The contestants: one module per method, announced through a hook like any plugin's.

Each family lists its specs (`SPECS`); `mvarena.algorithms.APMC` and the like are imported when first used.

Examples
--------
>>> from mvarena.algorithms import APMC
>>> APMC(n_neighbors=5).get_params()["n_neighbors"]
5
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from mvarena.algorithms.anchor.specs import SPECS as ANCHOR
from mvarena.algorithms.baselines.specs import SPECS as BASELINES
from mvarena.algorithms.control.specs import SPECS as CONTROL
from mvarena.algorithms.graph.specs import SPECS as GRAPH
from mvarena.algorithms.kernel.specs import SPECS as KERNEL
from mvarena.algorithms.nmf.specs import SPECS as NMF
from mvarena.algorithms.subspace.specs import SPECS as SUBSPACE
from mvarena.contracts.hooks import hookimpl
from mvarena.contracts.specs import AlgorithmSpec

_SPECS = (*BASELINES, *ANCHOR, *GRAPH, *KERNEL, *NMF, *SUBSPACE, *CONTROL)
_TARGETS = {spec.target.partition(":")[2]: spec.target.partition(":")[0] for spec in _SPECS}


@hookimpl
def mvarena_algorithms() -> tuple[AlgorithmSpec, ...]:
    return _SPECS


def __getattr__(name: str) -> Any:
    if name in _TARGETS:
        return getattr(import_module(_TARGETS[name]), name)
    raise AttributeError(f"module 'mvarena.algorithms' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*_TARGETS, "mvarena_algorithms"])
