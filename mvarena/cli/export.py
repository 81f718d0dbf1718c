"""`mvarena export`: every stored score as one table, for other tools."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.options import SEVERAL_FILTERS, ManyValues, database_option, filter_from, filter_options
from mvarena.cli.output import say, say_pairs
from mvarena.errors import InvalidSetting

if TYPE_CHECKING:
    from mvarena.report.exports import Format

_EXAMPLES = """\b
Examples:
  mvarena export --out scores.csv
  mvarena export --form summary --out summary.csv
  mvarena export --form wide --algo apmc "mkkm-*" --rate 0.1:0.5 --out wide.parquet
  mvarena export --status failed --format json
  mvarena export --sql
"""


@click.command(cls=ManyValues, many=SEVERAL_FILTERS, epilog=_EXAMPLES)
@database_option("The results database to read; write permission is not needed.")
@click.option(
    "--form",
    type=click.Choice(["trials", "wide", "summary"]),
    default="trials",
    show_default=True,
    help="trials: one row per trial and metric, with the value that its protocol reports. wide: one row per "
    "trial, a column per metric. summary: one row per data set, condition, method and metric.",
)
@click.option(
    "--format",
    "file_format",
    type=click.Choice(["csv", "json", "jsonl", "parquet"]),
    help="By default by the ending of the file; otherwise csv.",
)
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Where to write; by default the terminal.")
@click.option(
    "--sql", is_flag=True, help="Describe the SQL view 'results' for sqlite3, Datasette and psql; write nothing."
)
@filter_options
def export(database: str, form: str, file_format: Format | None, out: Path | None, sql: bool, **options: Any) -> None:
    """Write stored scores with all that is known of their trials; a failed trial has one row with its status."""
    if sql:
        _describe_view()
        return
    from mvarena.report.exports import (
        check_place,
        exported,
        format_of,
        summary_form,
        wide_form,
        write_export,
    )
    from mvarena.store.cards import cards
    from mvarena.store.filters import chosen
    from mvarena.store.frames import scores_frame
    from mvarena.store.readonly import open_to_read

    kind = file_format or format_of(out)
    if out is not None:
        check_place(out)
        if out.exists() and Path(database).exists() and out.samefile(database):
            raise click.UsageError(f"{out} is the database that is read; name another file with --out.")
    elif kind == "parquet":
        raise InvalidSetting("parquet is a binary format; name a file to write it to.", field="out")
    only = filter_from(options)
    with open_to_read(database) as db:
        frame, known = scores_frame(db, where=chosen(db, only)), cards(db)
    if form == "wide":
        frame = wide_form(frame)
    elif form == "summary" and not frame.empty:
        frame = summary_form(frame, known)
    if out is None:
        sys.stdout.write(exported(frame, kind).decode())
        return
    write_export(frame, out, kind)
    say(f"Wrote {len(frame)} rows to {click.format_filename(out)}.", err=True)


def _describe_view() -> None:
    """Print the columns of the SQL view, and how labels are decoded."""
    from mvarena.store.results_view import COLUMNS, DECODING

    say("The view 'results', one row per trial, restart and metric. An example:\n")
    say('  sqlite3 results.db "SELECT algorithm, avg(value) FROM results GROUP BY 1"\n')
    say_pairs(((name, meaning) for name, (meaning, _) in COLUMNS.items()), indent=2)
    say("\nLabels are stored as one digit, the bytes per label, followed by zlib-compressed little-endian integers. "
        "In Python:\n")  # fmt: skip
    click.echo("\n".join(f"  {line}" for line in DECODING.rstrip().splitlines()))
