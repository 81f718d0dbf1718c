"""Pickers that a study names: the metrics they need, and their choices among its results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from mvarena.contracts.specs import MetricSpec
from mvarena.registry.catalog import Catalog
from mvarena.store.database import Database
from mvarena.store.trials import done_trials
from mvarena.study.building import Block
from mvarena.study.plan import Plan
from mvarena.study.protocols import protocol_named

if TYPE_CHECKING:
    import pandas as pd


def metrics_needed(blocks: Sequence[Block], asked: Sequence[str], catalog: Catalog) -> list[MetricSpec]:
    """The metrics that are asked for, and those that pickers go by."""
    gone_by = metrics_of_pickers((name for block in blocks for name in block.pickers), catalog)
    return [catalog.metric(name) for name in dict.fromkeys([*asked, *gone_by])]


def metrics_of_pickers(pickers: Iterable[str], catalog: Catalog) -> list[str]:
    """The metrics that these pickers go by, each once."""
    return list(dict.fromkeys(metric for name in pickers if (metric := catalog.picker(name).metric)))


def picked_of(
    db: Database, blocks: Sequence[Block], plan: Plan, metrics: Sequence[str]
) -> dict[tuple[str, ...], pd.DataFrame]:
    """Pickers -> what they pick among the results of the studies that ask for them; no rows where nothing is to choose.

    metrics : of which scores and regrets are told; none: those of each data set, with the protocol's NMI.
    """
    keys: dict[tuple[str, ...], set[str]] = {}
    for block, own in zip(blocks, plan.by_block, strict=True):
        if block.pickers:
            keys.setdefault(block.pickers, set()).update(trial.key for trial in own)
    if not keys:
        return {}
    from mvarena.analysis.picking import picks_among  # imports pandas

    stored, result = done_trials(db), {}
    for pickers, planned in keys.items():
        nmis = {protocol_named(block.study.protocol).nmi for block in blocks if block.pickers == pickers}
        nmi = nmis.pop() if len(nmis) == 1 else "nmi"
        trials = [trial for trial in stored if trial.key in planned]
        result[pickers] = picks_among(db, metrics, trials, pickers=pickers, nmi=nmi)
    return result
