"""`mvarena report`: tables and figures from a results database."""

from __future__ import annotations

from pathlib import Path

import click

from mvarena.cli.options import ManyValues, database_option, names_option, split_names

_EXAMPLES = """\b
Examples:
  mvarena report --db results.db --out reports
  mvarena report --metric acc ari --algo apmc concat --data "digits[fou,fac]"
  mvarena report --pick mean
"""


@click.command(cls=ManyValues, many=("--metric", "--algo", "--data"), epilog=_EXAMPLES)
@database_option("The results database to read.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("reports"), show_default=True, metavar="DIR")
@names_option("--metric", "metrics", "Metrics, one or more (mvarena list metrics); by default acc and nmi.")
@names_option("--algo", "algorithms", "Only these algorithms; by default all that are stored.")
@names_option("--data", "datasets", "Only these data sets; by default all that are stored.")
@click.option(
    "--every-variant",
    is_flag=True,
    help="Show every value of a parameter that is picked by labels, such as each single view, not the best alone.",
)
@click.option(
    "--pick",
    type=click.Choice(["mean", "lowest-inertia"]),
    help="Which restarts count, in place of what each result's protocol says.",
)
def report(
    database: str,
    out: Path,
    metrics: tuple[str, ...],
    algorithms: tuple[str, ...],
    datasets: tuple[str, ...],
    every_variant: bool,
    pick: str | None,
) -> None:
    """Write tables (Markdown, LaTeX, CSV) and figures (PNG, SVG) of the stored results into a folder."""
    from mvarena.cli.reading import open_to_read
    from mvarena.cli.tables import default_metrics, print_summary, results_of
    from mvarena.registry.catalog import installed_catalog
    from mvarena.report.achieved_rates import write_achieved
    from mvarena.report.write import write_report
    from mvarena.store.achieved_rates import achieved_frame
    from mvarena.store.frames import scores_frame

    catalog = installed_catalog()
    named = [catalog.metric(name).name for name in split_names(metrics)]
    with open_to_read(database) as db:
        frame = scores_frame(
            db, algorithms=split_names(algorithms) or None, datasets=datasets or None, metrics=named or None
        )
        rates = achieved_frame(db, datasets=datasets or None)
    if pick is not None:
        frame = frame.assign(pick=pick)
    results = results_of(frame, named or default_metrics(frame), every_variant=every_variant)
    written = [*write_report(results, out), *write_achieved(rates, out)]
    print_summary(results)
    for path in written:
        click.echo(path)
