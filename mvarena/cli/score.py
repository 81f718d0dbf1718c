"""`mvarena score`: metrics over every stored labelling, without running anything again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.options import (
    SEVERAL_FILTERS,
    ManyValues,
    database_option,
    filter_from,
    filter_options,
    names_option,
    split_names,
)

if TYPE_CHECKING:
    from mvarena.engine.rescore import Rescored

_EXAMPLE = "Example: mvarena score --metric silhouette-views ami --db results.db"


@click.command(cls=ManyValues, many=("--metric", *SEVERAL_FILTERS), epilog=_EXAMPLE)
@names_option("--metric", "metrics", "Metrics, one or more (mvarena list metrics).", required=True)
@database_option("The results database to add to.")
@filter_options
def score(metrics: tuple[str, ...], database: str, **options: Any) -> None:
    """Compute METRICS from the stored labels of every trial that lacks them.

    Metrics of the views load the data again. Embeddings are not stored: a metric that looks at one (silhouette, and
    the like without -views) runs the algorithm again from the stored description, here and without a time limit, and
    counts only where the stored labels have the stored inertia in it.
    """
    from rich.console import Console
    from rich.progress import Progress

    from mvarena.engine.rescore import rescore
    from mvarena.registry.catalog import installed_catalog
    from mvarena.store.database import open_database
    from mvarena.store.filters import chosen
    from mvarena.store.trials import done_trials

    catalog = installed_catalog()
    specs = [catalog.metric(name) for name in split_names(metrics)]
    only = filter_from(options)
    console = Console(stderr=True)
    with open_database(database, create=False) as db, Progress(console=console, transient=True) as bar:
        trials = done_trials(db, where=chosen(db, only))
        for spec in specs:
            task = bar.add_task(spec.name, total=len(trials))
            done = rescore(db, spec, trials, catalog, on_trial=lambda task=task: bar.advance(task))  # type: ignore[misc]
            for sentence in _sentences(done):
                click.echo(sentence)


def _sentences(done: Rescored) -> Iterator[str]:
    before = f", {done.before} had it already" if done.before else ""
    without = f", {done.without} could not be" if done.without else ""
    yield f"{done.metric}: {done.scored} trials scored{before}{without}."
    for reason, count in done.reasons.items():
        yield f"  {count}: {reason}"
