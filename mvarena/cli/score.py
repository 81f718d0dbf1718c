"""`mvarena score`: metrics over every stored labelling, without running anything again."""

from __future__ import annotations

import click

from mvarena.cli.options import ManyValues, database_option, names_option, split_names

_EXAMPLE = "Example: mvarena score --metric silhouette-views ami --db results.db"


@click.command(cls=ManyValues, many=("--metric", "--algo", "--data"), epilog=_EXAMPLE)
@names_option("--metric", "metrics", "Metrics, one or more (mvarena list metrics).", required=True)
@names_option("--algo", "algorithms", "Only these algorithms; by default all that are stored.")
@names_option("--data", "datasets", "Only these data sets; by default all that are stored.")
@database_option("The results database to add to.")
def score(metrics: tuple[str, ...], algorithms: tuple[str, ...], datasets: tuple[str, ...], database: str) -> None:
    """Compute METRICS from the stored labels of every trial that lacks them."""
    from rich.console import Console
    from rich.progress import Progress

    from mvarena.engine.rescore import rescore
    from mvarena.registry.catalog import installed_catalog
    from mvarena.store.database import open_database
    from mvarena.store.done_trials import done_trials

    catalog = installed_catalog()
    specs = [catalog.metric(name) for name in split_names(metrics)]
    console = Console(stderr=True)
    with open_database(database, create=False) as db, Progress(console=console, transient=True) as bar:
        trials = done_trials(db, algorithms=split_names(algorithms) or None, datasets=datasets or None)
        for spec in specs:
            task = bar.add_task(spec.name, total=len(trials))
            done = rescore(db, spec, trials, catalog, on_trial=lambda task=task: bar.advance(task))  # type: ignore[misc]
            click.echo(_sentence(done.metric, done.scored, done.before, done.without, spec.needs))


def _sentence(metric: str, scored: int, before: int, without: int, needs: str) -> str:
    text = f"{metric}: {scored} trials scored"
    if before:
        text += f", {before} had it already"
    if without:
        lacking = "stored classes" if needs == "truth" else "feature views to look at (embeddings are not stored)"
        text += f", {without} lack {lacking}"
    return f"{text}."
