"""Cards of the methods and data sets that a database holds results of."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import select

from mvarena.contracts.source import Source
from mvarena.errors import MvarenaError
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import Database
from mvarena.store.schema import names, trials
from mvarena.study.cards import DatasetCard, MethodCard, dataset_card, method_card


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
    """The cards of all methods and data sets of `db`."""
    catalog = installed_catalog()
    with db.read() as connection:
        algorithms = connection.scalars(select(trials.c.algorithm).distinct()).all()
        sources = connection.scalars(select(names.c.source).where(names.c.source.is_not(None)).distinct()).all()
    methods, datasets = {}, {}
    for name in algorithms:
        with suppress(MvarenaError):
            methods[name] = method_card(catalog.algorithm(name), catalog)
    for name in {Source.from_json(text).dataset for text in sources} - {""}:
        with suppress(MvarenaError):
            datasets[name] = dataset_card(name, catalog)
    return Cards(methods, datasets)
