"""`mvarena results sql`: what the SQL view `results` holds, and how its labels are read."""

from __future__ import annotations

import click


@click.command(epilog='Example: sqlite3 results.db "SELECT algorithm, avg(value) FROM results GROUP BY 1"')
def sql() -> None:
    """Describe the view `results`, which sqlite3, Datasette and psql can read, and how labels are decoded.

    One row per trial, restart and metric, as 'mvarena export' writes; a trial without scores is one row.
    """
    from mvarena.store.results_view import COLUMNS, DECODING

    width = max(map(len, COLUMNS))
    click.echo("The view 'results', one row per trial, restart and metric:\n")
    for name, (meaning, _) in COLUMNS.items():
        click.echo(f"  {name:<{width}}  {meaning}")
    click.echo("\nLabels are one digit, then zlib of little-endian integers of so many bytes. In Python:\n")
    click.echo("\n".join(f"  {line}" for line in DECODING.rstrip().splitlines()))
