"""`mvarena score`: metrics over every stored labelling, without running anything again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.options import SEVERAL_FILTERS, ManyValues, database_option, filter_from, filter_options, names_option
from mvarena.cli.output import say
from mvarena.cli.study_options import study_option, typed

if TYPE_CHECKING:
    from mvarena.engine.rescore import Rescoring

_EXAMPLE = """\b
Examples:
  mvarena score --metric silhouette-views ami --db results.db
  mvarena score --metric log-rank-p enriched --outcomes clinic.csv --time days --event death
"""


@click.command(cls=ManyValues, many=("--metric", *SEVERAL_FILTERS), epilog=_EXAMPLE)
@names_option("--metric", "metrics", "Metrics, one or more (mvarena list metrics).", required=True)
@database_option("The results database to add to.")
@study_option("outcomes")
@study_option("time")
@study_option("event")
@filter_options
def score(metrics: tuple[str, ...], database: str, **options: Any) -> None:
    """Compute METRICS from the stored labels of every trial that lacks them.

    Metrics of the views load the data again. Embeddings are not stored: a metric that looks at one (silhouette, and
    the like without -views) runs the algorithm again from the stored description, here and without a time limit, and
    counts only where the stored labels have the stored inertia in it. Metrics by outcomes (log-rank-p, enriched) go by
    those of the data set, or of the file of --outcomes.
    """
    from rich.console import Console
    from rich.progress import Progress

    from mvarena.engine.rescore import rescore
    from mvarena.registry.catalog import installed_catalog
    from mvarena.store.database import open_database
    from mvarena.store.filters import chosen
    from mvarena.store.trials import done_trials, note_sources
    from mvarena.study.building import outcome_file
    from mvarena.study.settings import laid_over

    own = outcome_file(laid_over([typed({name: options.pop(name) for name in ("outcomes", "time", "event")})]))
    catalog = installed_catalog()
    specs = [catalog.metric(name) for name in metrics]
    only = filter_from(options)
    console = Console(stderr=True)
    with open_database(database, create=False) as db, Progress(console=console, transient=True) as bar:
        trials = done_trials(db, where=chosen(db, only))
        if own is not None:
            trials = [replace(trial, source=replace(trial.source, outcomes=own)) for trial in trials]
        for spec in specs:
            task = bar.add_task(spec.name, total=len(trials))
            done = rescore(db, spec, trials, catalog, on_trial=lambda task=task: bar.advance(task))  # type: ignore[misc]
            for sentence in _sentences(done):
                say(sentence)
        if own is not None:
            note_sources(db, trials)


def _sentences(done: Rescoring) -> Iterator[str]:
    before = f", {done.before} already had it" if done.before else ""
    without = f", {done.without} could not be scored" if done.without else ""
    yield f"{done.metric}: {done.scored} trials scored{before}{without}."
    for reason, count in done.reasons.items():
        yield f"  {count}: {reason}"
