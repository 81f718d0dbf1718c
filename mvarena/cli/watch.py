"""`mvarena watch`: how far the runs that share a results database are."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from mvarena.cli.options import database_option
from mvarena.cli.output import shown_duration

if TYPE_CHECKING:
    from mvarena.store.overview import Activity

_EXAMPLES = """\b
Examples:
  mvarena watch --db results.db
  mvarena watch --once
"""


@click.command(epilog=_EXAMPLES)
@database_option("The results database to watch.")
@click.option(
    "--every", "every", default="10s", show_default=True, metavar="TIME", help="Time between two looks at the database."
)
@click.option("--once", is_flag=True, help="Print the state once and exit.")
def watch(database: str, every: str, once: bool) -> None:
    """Show how many trials have ended and how many wait, until none waits any more.

    The database is only read: runs may continue meanwhile, on this machine or on others. Waiting trials are planned and
    not run yet; after a run was stopped, the same command continues with them.
    """
    from mvarena.store.overview import activity
    from mvarena.store.readonly import open_to_read
    from mvarena.study.values import parse_duration

    pause = parse_duration(every)
    with open_to_read(database) as db:
        while True:
            result = activity(db)
            click.echo(_line(result))
            if once or not result.waiting:
                return
            time.sleep(pause)


def _line(found: Activity) -> str:
    ended = sum(found.ended.values())
    statuses = ", ".join(f"{count} {status.lower().replace('_', ' ')}" for status, count in found.ended.items())
    text = f"{time.strftime('%H:%M:%S')}  {ended} of {ended + found.waiting} trials"
    text += f" ({statuses})" if statuses else ""
    text += f", {found.waiting} waiting"
    if found.per_second and found.waiting:
        text += f", about {shown_duration(found.waiting / found.per_second)} left"
    return text
