"""`mvarena report`: tables and figures from a results database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mvarena.cli.filters import SEVERAL_FILTERS, filter_from, filter_options
from mvarena.cli.options import ManyValues, database_option, names_option, split_names

_EXAMPLES = """\b
Examples:
  mvarena report --db results.db --out reports
  mvarena report --metric acc ari --algo apmc concat --data "digits[fou,fac]"
  mvarena report --family graph --data "webkb-*" --rate 0.1:0.5 --since 2025-03-01
  mvarena report --pick mean
"""


@click.command(cls=ManyValues, many=("--metric", *SEVERAL_FILTERS), epilog=_EXAMPLES)
@database_option("The results database to read.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("reports"), show_default=True, metavar="DIR")
@names_option("--metric", "metrics", "Metrics, one or more (mvarena list metrics); by default acc and nmi.")
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
@filter_options
def report(
    database: str,
    out: Path,
    metrics: tuple[str, ...],
    every_variant: bool,
    pick: str | None,
    **options: Any,
) -> None:
    """Write tables (Markdown, LaTeX, CSV) and figures (PNG, SVG) of the stored results into a folder."""
    from mvarena.cli.reading import open_to_read
    from mvarena.cli.tables import default_metrics, print_summary, results_of
    from mvarena.registry.catalog import installed_catalog
    from mvarena.report.achieved_rates import write_achieved
    from mvarena.report.write import write_report
    from mvarena.store.achieved_rates import achieved_frame
    from mvarena.store.filters import chosen
    from mvarena.store.frames import scores_frame

    catalog = installed_catalog()
    named = [catalog.metric(name).name for name in split_names(metrics)]
    only = filter_from(options)
    with open_to_read(database) as db:
        where = chosen(db, only)
        frame = scores_frame(db, metrics=named or None, where=where)
        rates = achieved_frame(db, where=where)
    if pick is not None:
        frame = frame.assign(pick=pick)
    results = results_of(frame, named or default_metrics(frame), every_variant=every_variant)
    written = [*write_report(results, out), *write_achieved(rates, out)]
    print_summary(results)
    for path in written:
        click.echo(path)
