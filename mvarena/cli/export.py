"""`mvarena export`: one row per trial x restart x metric, for other tools."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mvarena.cli.options import database_option

if TYPE_CHECKING:
    import pandas as pd


@click.command(epilog="Example: mvarena export --db results.db --out scores.csv")
@database_option("The results database to read.")
@click.option("--format", "file_format", type=click.Choice(["csv", "parquet"]), default="csv", show_default=True)
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Where to write; by default the terminal.")
def export(database: str, file_format: str, out: Path | None) -> None:
    """Write every stored score: one row per trial, restart and metric; a failed trial has one row with its status."""
    from mvarena.cli.reading import open_to_read
    from mvarena.store.frames import EXPORTED, scores_frame

    with open_to_read(database) as db:
        frame = scores_frame(db)[list(EXPORTED)]
    if file_format == "parquet":
        _write_parquet(frame, out)
    elif out is None:
        frame.to_csv(sys.stdout, index=False)
    else:
        _checked(out)
        frame.to_csv(out, index=False)
        click.echo(f"Wrote {len(frame)} rows to {out}.", err=True)


def _checked(out: Path) -> None:
    from mvarena.errors import InvalidSetting

    if not out.resolve().parent.is_dir():
        raise InvalidSetting(f"the folder {out.parent} does not exist; make it first, or choose another.", field="out")


def _write_parquet(frame: pd.DataFrame, out: Path | None) -> None:
    from importlib.util import find_spec

    from mvarena.errors import InvalidSetting

    if find_spec("pyarrow") is None:
        raise InvalidSetting("parquet needs pyarrow; install it with: pip install 'mvarena[parquet]'.")
    if out is None:
        raise InvalidSetting("parquet is a binary format; name a file to write it to.", field="out")
    _checked(out)
    frame.to_parquet(out, index=False)
    click.echo(f"Wrote {len(frame)} rows to {out}.", err=True)
