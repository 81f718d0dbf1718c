"""From a study to its trials. Everything that is wrong with a study is said here, before anything runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from mvarena.contracts.protocol import Protocol
from mvarena.data import MultiViewData
from mvarena.registry.catalog import Catalog
from mvarena.study.components import (
    algorithm_variants,
    check_params_are_used,
    contestants_of,
)
from mvarena.study.conditions import Conditions, conditions_on
from mvarena.study.grid import Block, Entry, TrialGrid
from mvarena.study.model import Contestant, Study
from mvarena.study.preparation import Preparations
from mvarena.study.protocols import protocol_named
from mvarena.study.sources import data_source, load_source, not_used_note, source_from_text


@dataclass(frozen=True, slots=True)
class Plan:
    """The trials of a study, in the order in which they run, and sentences on what was decided by default."""

    trials: TrialGrid
    notes: tuple[str, ...]


def plan_study(study: Study, catalog: Catalog) -> Plan:
    """Expand `study`. Loads each data set once (its content is part of the keys).

    Raises UnknownName or InvalidSetting for anything that cannot run as asked, parameters out of range among them.
    """
    protocol = protocol_named(study.protocol).with_restarts(study.restarts)
    n_repeats = protocol.repeats if study.repeats is None else study.repeats
    contestants = contestants_of(study, catalog)
    texts = [source_from_text(one, catalog) if isinstance(one, str) else one for one in study.datasets]
    preparations = Preparations(study, contestants, protocol, catalog)
    conditions = Conditions(study, catalog)
    used = [*(one.spec for one in contestants), *conditions.specs]
    check_params_are_used(study, [*used, *catalog.specs("transform")])  # which transforms depends on the data
    announced = set(catalog.specs("algorithm"))
    blocks: list[Block] = []
    notes: list[str] = []
    for source in dict.fromkeys(texts):
        data = load_source(source, catalog)
        points, said = conditions_on(data, conditions)
        notes += [*not_used_note(source, catalog), *said]
        notes += preparations.notes(data)
        used += preparations.used(data)
        entries = tuple(
            Entry(one.spec, params, prepare, own=one.spec not in announced)
            for one in (contestants if points else ())
            for params, prepare in product(_variants(study, one, data, catalog), preparations.of(one, data))
        )
        blocks.append(Block(source, data_source(source, catalog).content(data), tuple(points), entries))
    conditions.check_possible()
    check_params_are_used(study, used)
    notes += preparations.adaptation_notes()
    notes += _protocol_note(study, protocol, n_repeats)
    return Plan(TrialGrid(blocks, n_repeats, protocol, study.seed), tuple(notes))


def _variants(
    study: Study, contestant: Contestant, data: MultiViewData, catalog: Catalog
) -> Iterator[dict[str, object]]:
    asked = dict(study.params.get(contestant.spec.name, {}))
    if study.n_clusters is not None:
        asked.setdefault("n_clusters", (study.n_clusters,))
    return algorithm_variants(contestant, asked, data.view_names, catalog)


def _protocol_note(study: Study, protocol: Protocol, n_repeats: int) -> list[str]:
    if study.repeats is not None and study.restarts is not None:
        return []
    times = f"{n_repeats} {'repeat' if n_repeats == 1 else 'repeats'}"
    return [f"Protocol {protocol.name}: {times} of {protocol.restarts} restarts each, seed {study.seed}."]
