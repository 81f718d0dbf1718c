"""From a study to its trials. Everything that is wrong with a study is said here, before anything runs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from mvarena.contracts.protocol import Protocol
from mvarena.contracts.source import Source
from mvarena.contracts.specs import AlgorithmSpec, Spec
from mvarena.contracts.trial import Trial
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting, MvarenaError, about
from mvarena.registry.catalog import Catalog
from mvarena.study.building import Block
from mvarena.study.cards import ContentFacts, facts_on
from mvarena.study.components import (
    algorithm_variants,
    check_params_are_used,
    contestants_named,
    contestants_of,
    paper_grid,
    unused_params,
)
from mvarena.study.conditions import Conditions, conditions_on
from mvarena.study.families import CONTROL, family_of
from mvarena.study.model import Contestant, Study
from mvarena.study.outcomes import outcomes_note, outcomes_of
from mvarena.study.preparation import Preparations
from mvarena.study.protocols import protocol_named
from mvarena.study.sources import data_source, load_source, reading_notes, sources_from_text
from mvarena.study.values import Shard
from mvarena.text import listed, plural


@dataclass(frozen=True, slots=True)
class Plan:
    """The trials of a study, in the order in which they run.

    notes : sentences on defaults in use, on data or methods that are left out, and on what is decided by the numbers of
    users' files. details : sentences on the scaling of each view of other data, and on the adaptation of each method.
    also : trials of the same keys that other studies, planned together, call otherwise.
    used : the names of the components that take part. contents : content -> facts on the data.
    outcomes : content -> a source with outcomes of the samples, of the data that have any.
    """

    trials: Sequence[Trial]
    notes: tuple[str, ...]
    details: tuple[str, ...] = ()
    also: tuple[Trial, ...] = ()
    used: frozenset[str] = frozenset()
    contents: Mapping[str, ContentFacts] = field(default_factory=dict)
    outcomes: Mapping[str, Source] = field(default_factory=dict)

    @property
    def samples(self) -> dict[str, int]:
        """Content -> how many samples the data have."""
        return {content: facts.n_samples for content, facts in self.contents.items()}


def plan_blocks(blocks: Sequence[Block], catalog: Catalog) -> Plan:
    """Expand studies that run together, as those of one file; what several of them ask for runs once.

    Raises as `plan_study`, with the file, the run and the key where there is a file.
    """
    plans = [_located_plan(block, catalog) for block in blocks]
    used = frozenset[str]().union(*(plan.used for plan in plans))
    for block in blocks:
        for name in sorted(block.optional & set(block.study.params) - used):
            raise block.said.located(unused_params(name))
    if len(plans) == 1:
        return plans[0]
    trials = {(trial.key, trial.dataset, trial.protocol.name): trial for plan in plans for trial in plan.trials}
    unique = {trial.key: trial for trial in reversed(trials.values())}
    return Plan(
        trials=tuple(trial for trial in trials.values() if trial is unique[trial.key]),
        notes=tuple(dict.fromkeys(note for plan in plans for note in plan.notes)),
        details=tuple(dict.fromkeys(note for plan in plans for note in plan.details)),
        also=tuple(trial for trial in trials.values() if trial is not unique[trial.key]),
        used=used,
        contents={content: facts for plan in plans for content, facts in plan.contents.items()},
        outcomes={content: source for plan in plans for content, source in plan.outcomes.items()},
    )


def part_of_plan(plan: Plan, shard: Shard) -> Plan:
    """The trials that fall to one of several jobs, by their keys alone: every trial falls to exactly one of them.

    Each trial keeps its data, corruption and seeds.
    """
    index, of = shard
    trials, also = (
        [trial for trial in some if int(trial.key[:16], 16) % of == index - 1] for some in (plan.trials, plan.also)
    )
    note = f"Part {index} of {of}: {len(trials)} of {plural(len(plan.trials), 'trial')}."
    return replace(plan, trials=trials, also=tuple(also), notes=(*plan.notes, note))


def _located_plan(block: Block, catalog: Catalog) -> Plan:
    try:
        plan = plan_study(block.study, catalog, block.optional)
    except MvarenaError as error:
        raise block.said.located(error) from error
    return replace(plan, notes=(*block.notes, *plan.notes))


def plan_study(study: Study, catalog: Catalog, optional: Collection[str] = ()) -> Plan:
    """Expand `study`. Loads each data set once (its content is part of the keys).

    optional : components whose parameters may be set though the study does not use them.
    Raises UnknownName or InvalidSetting for anything that cannot run as asked, parameters out of range among them.
    """
    with about("protocol"):
        protocol = protocol_named(study.protocol).with_restarts(study.restarts)
    n_repeats = protocol.repeats if study.repeats is None else study.repeats
    with about("algorithms"):
        contestants = contestants_of(study, catalog)
        asked_for = {contestant.spec for contestant in contestants_named(study.algorithms, catalog)}
    sources = sources_from_text(study.datasets, catalog)
    preparations = Preparations(study, contestants, protocol, catalog)
    with about("corruptions"):
        conditions = Conditions(study, catalog)
    used = [*(contestant.spec for contestant in contestants), *conditions.specs]
    check_params_are_used(study, [*used, *catalog.specs("transform")], optional)  # which transforms depends on the data
    announced = set(catalog.specs("algorithm"))
    trials: list[Trial] = []  # the contestants varying fastest; about half a kilobyte each
    names: dict[str, list[str]] = {}
    notes: list[str] = []
    details: list[str] = []
    contents: dict[str, ContentFacts] = {}
    outcomes: dict[str, Source] = {}
    for source in sources:
        data = load_source(source, catalog)
        _check_clusters(study, data, contestants)
        points, text = conditions_on(data, conditions)
        notes += [*reading_notes(source, catalog), *text]
        decided = preparations.scaling_details(data)
        decided += _decisions(data, [item.spec for item in contestants], catalog)
        if source.paths:  # what is decided on a user's file is always said
            notes += decided
        else:
            details += decided
        used += preparations.used(data)
        without = [item for item in contestants if data.labels is None and item.spec.reads_labels]
        taking_part = [item for item in contestants if item not in without]
        notes += _left_out_note([item for item in without if item.spec in asked_for], source.name)
        entries = [
            _entry(item, announced) | {"params": params, "prepare": prepare}
            for item in (taking_part if points else ())
            for params, prepare in product(_variants(study, item, data, catalog), preparations.of(item, data))
        ]
        content = data_source(source, catalog).content(data)
        names.setdefault(content, []).append(source.name)
        contents[content] = facts_on(data, source, catalog)
        if (table := outcomes_of(source, content, catalog)) is not None:
            outcomes[content] = source
            notes.append(outcomes_note(source, table))
        shared: dict[str, Any] = {"source": source, "content": content, "protocol": protocol, "seed": study.seed}
        trials += [
            Trial(**shared, **entry, corruptions=point, repeat=repeat)
            for point, repeat, entry in product(points, range(n_repeats), entries)
        ]
    notes += _equal_contents(names.values())
    conditions.check_possible()
    check_params_are_used(study, used, optional)
    notes += preparations.adaptation_notes()
    details += _grid_note(study, contestants)
    details += preparations.adaptation_details()
    notes += _protocol_note(study, protocol, n_repeats)
    return Plan(
        trials=_each_once(trials),
        notes=tuple(notes),
        details=tuple(details),
        used=frozenset(spec.name for spec in used),
        contents=contents,
        outcomes=outcomes,
    )


def _entry(contestant: Contestant, announced: Collection[Spec]) -> dict[str, Any]:
    """Fields of the trials of a contestant; one that no plugin announces has its spec with it."""
    spec = contestant.spec
    return {
        "algorithm": spec.name,
        "algorithm_version": spec.version,
        "spec": None if spec in announced else spec,
        "picks_by_labels": spec.picks_by_labels,
    }


def _each_once(trials: list[Trial]) -> list[Trial]:
    """The trials in order; of two with one key, the later is kept. Cost: the key of each, some 10 us."""
    last = {trial.key: trial for trial in trials}
    return trials if len(last) == len(trials) else [trial for trial in trials if last[trial.key] is trial]


def _check_clusters(study: Study, data: MultiViewData, contestants: Sequence[Contestant]) -> None:
    """Raise InvalidSetting for data that do not say how many clusters to look for where the study does not either."""
    if data.n_clusters is not None or study.n_clusters is not None:
        return
    if any("n_clusters" not in study.params.get(contestant.spec.name, {}) for contestant in contestants):
        raise InvalidSetting(
            f"{data.name} has no classes; give the number of clusters.", field="n_clusters", value=None
        )


def _variants(
    study: Study, contestant: Contestant, data: MultiViewData, catalog: Catalog
) -> Iterator[dict[str, object]]:
    requested = dict(study.params.get(contestant.spec.name, {}))
    if study.grid is not None:
        requested = dict(paper_grid(contestant.spec, data, study.n_clusters)) | requested
    # a control has one row beside a grid: of random labels, as many clusters as there are classes
    in_grid = family_of(contestant.spec) != CONTROL or data.n_clusters is None
    if study.n_clusters is not None and (in_grid or len(study.n_clusters) == 1):
        requested.setdefault("n_clusters", study.n_clusters)
    return algorithm_variants(contestant, requested, data.view_names, catalog)


def _decisions(data: MultiViewData, specs: Sequence[AlgorithmSpec], catalog: Catalog) -> list[str]:
    """One sentence for each method whose options follow what the views hold."""
    notes = []
    for spec in specs:
        if spec.decides and all(view.kind == "features" for view in data.views):
            said = "; ".join(f"{decision} in {views}" for decision, views in catalog.decisions(spec, data).items())
            notes.append(f"{data.name}: {spec.name} takes {said}.")
    return notes


def _grid_note(study: Study, contestants: Sequence[Contestant]) -> list[str]:
    """One sentence on the papers' ranges where the study runs these."""
    if study.grid is None:
        return []
    searched = [item.spec for item in contestants if item.spec.grid and item.spec.grid.values]
    ranges = "; ".join(f"{spec.name} {spec.grid.words}" for spec in searched if spec.grid)
    methods = [item.spec for item in contestants if family_of(item.spec) != CONTROL]
    single = listed(spec.name for spec in methods if spec not in searched)
    return [f"Papers' ranges: {ranges or 'none'}.", *([f"No range: {single}."] if single else [])]


def _left_out_note(contestants: Sequence[Contestant], dataset: str) -> list[str]:
    """One sentence on those that were asked for and need the classes of data without any; none without such."""
    names = listed(item.spec.name for item in contestants)
    return [f"{dataset} has no classes; {names} cannot run on it."] if names else []


def _equal_contents(names_of_contents: Iterable[list[str]]) -> list[str]:
    """One sentence for each content that several data sets of the study have."""
    return [
        f"{listed(names)} hold the same data: each trial runs once, and ranks and tests count one corpus."
        for names in names_of_contents
        if len(names) > 1
    ]


def _protocol_note(study: Study, protocol: Protocol, n_repeats: int) -> list[str]:
    if study.repeats is not None and study.restarts is not None:
        return []
    times = plural(n_repeats, "repeat")
    return [f"Protocol {protocol.name}: {times} of {protocol.restarts} restarts each, seed {study.seed}."]
