"""Cards of the methods and data sets that a database holds results of."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import Connection, select, update

from mvarena.contracts.specs import AlgorithmSpec
from mvarena.contracts.trial import Trial
from mvarena.errors import MvarenaError
from mvarena.registry.catalog import Catalog
from mvarena.store.connections import insert_for
from mvarena.store.database import Database
from mvarena.store.encoding import canonical_json
from mvarena.store.schema import cards as stored
from mvarena.store.schema import methods
from mvarena.study.cards import DatasetCard, MethodCard, dataset_card, method_card

METHOD, DATASET = "method", "dataset"


@dataclass(frozen=True, slots=True)
class Cards:
    """Method -> its card; data set, without picked views -> its card. What nobody describes has its name alone."""

    methods: Mapping[str, MethodCard]
    datasets: Mapping[str, DatasetCard]

    def method(self, name: str) -> MethodCard:
        """The card of a method; its name alone where nothing is known."""
        return self.methods.get(name) or MethodCard(name=name, label=name)

    def dataset(self, name: str) -> DatasetCard:
        """The card of a data set such as 'digits[fou,fac]'; its name alone where nothing is known."""
        base = name.partition(" #")[0].partition("[")[0]
        return self.datasets.get(base) or DatasetCard(name=base)


def cards(db: Database) -> Cards:
    """The cards of all methods and data sets of `db`, as they were when a run last used them."""
    with db.read() as connection:
        return cards_within(connection)


def cards_within(connection: Connection, component: str | None = None) -> Cards:
    """The same, as a transaction sees them. component : METHOD or DATASET alone."""
    query = select(stored) if component is None else select(stored).where(stored.c.component == component)
    rows = connection.execute(query).fetchall()
    return Cards(
        {row.name: MethodCard.from_json(row.card) for row in rows if row.component == METHOD},
        {row.name: DatasetCard.from_json(row.card) for row in rows if row.component == DATASET},
    )


def describe_components(db: Database, trials: Iterable[Trial], catalog: Catalog) -> None:
    """Store the cards of what the trials are of, and which parameters of their methods are not the defaults.

    Nothing is known of what cannot be imported. Cost: imports the methods.
    """
    specs: dict[str, AlgorithmSpec | None] = {}
    names: set[str] = set()
    for trial in trials:
        specs[trial.algorithm] = trial.spec
        names.add(trial.source.dataset)
    found = described(specs, names - {""}, catalog)
    with db.write() as connection:
        store_cards(connection, found)
        set_variants(connection)


def described(
    specs: Mapping[str, AlgorithmSpec | None], datasets: Iterable[str], catalog: Catalog
) -> dict[tuple[str, str], str]:
    """(component, name) -> card as JSON. specs : method -> its spec, None for the plugin's of that name."""
    found: dict[tuple[str, str], str] = {}
    for name, spec in specs.items():
        with suppress(MvarenaError, ImportError):
            found[METHOD, name] = method_card(spec or catalog.algorithm(name), catalog).to_json()
    for name in datasets:
        with suppress(MvarenaError):
            found[DATASET, name] = dataset_card(name, catalog).to_json()
    return found


def store_cards(connection: Connection, found: Mapping[tuple[str, str], str]) -> None:
    """Store cards in the place of those of the same names."""
    if not found:
        return
    insert = insert_for(connection.dialect.name)(stored)
    insert = insert.on_conflict_do_update(index_elements=["component", "name"], set_={"card": insert.excluded.card})
    rows = [{"component": component, "name": name, "card": card} for (component, name), card in found.items()]
    connection.execute(insert, rows)


def set_variants(connection: Connection) -> None:
    """Set the variant of stored methods that have none, where their defaults are known by now."""
    with_cards = select(methods.c.id, methods.c.params, stored.c.card).join_from(
        methods, stored, (stored.c.component == METHOD) & (stored.c.name == methods.c.name)
    )
    for row in connection.execute(with_cards.where(methods.c.variant.is_(None))).fetchall():
        if (defaults := MethodCard.from_json(row.card).defaults) is not None:
            text = variant(json.loads(row.params), defaults)
            connection.execute(update(methods).where(methods.c.id == row.id).values(variant=text))


def variant(params: Mapping[str, object], defaults: Mapping[str, object]) -> str:
    """The parameters that are not the defaults, as canonical JSON."""
    kept = {
        name: value
        for name, value in params.items()
        if name not in defaults or canonical_json(value) != canonical_json(defaults[name])
    }
    return canonical_json(kept)
