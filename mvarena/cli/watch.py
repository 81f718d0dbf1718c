"""`mvarena watch`: how far the runs that share a results database are."""

from __future__ import annotations

import time
from collections.abc import Iterator
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
    """Show how many trials have ended, run and wait, until none waits any more.

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
            click.echo("\n".join(_lines(result)))
            if once or (not result.waiting and not result.running):
                return
            time.sleep(pause)


def _lines(found: Activity) -> Iterator[str]:
    """One line on all, and one for each run that is under way."""
    ended = sum(found.ended.values())
    statuses = ", ".join(f"{count} {status.lower().replace('_', ' ')}" for status, count in found.ended.items())
    text = f"{time.strftime('%H:%M:%S')}  {ended} of {ended + found.running + found.waiting} trials"
    text += f" ({statuses})" if statuses else ""
    text += f", {found.running} running, {found.waiting} waiting"
    open_ = found.running + found.waiting
    if found.owners and found.per_second and open_:
        text += f", about {shown_duration(open_ / found.per_second)} left"
    yield text
    for owner, count in found.owners.items():
        yield f"          {owner}: {count} running"
