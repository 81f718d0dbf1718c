"""`mvarena results delete` and `keep`: removing trials, after a look at what would go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.filters import SEVERAL_FILTERS, filter_from, filter_options
from mvarena.cli.options import ManyValues, database_option

if TYPE_CHECKING:
    from mvarena.store.database import Database
    from mvarena.store.maintenance import Removal

_MOST_SHOWN = 20
_DELETE_EXAMPLES = """\b
Examples:
  mvarena results delete --algo "mkkm-*" --status timeout
  mvarena results delete --until 2025-03-01 --yes
"""
_KEEP_EXAMPLES = """\b
Examples:
  mvarena results keep --data digits 3sources --protocol fair
  mvarena results keep --since 7d --yes
"""
_yes = click.option("--yes", is_flag=True, help="Do it; without this the command only says what would go.")


@click.command(cls=ManyValues, many=SEVERAL_FILTERS, epilog=_DELETE_EXAMPLES)
@database_option("The results database to delete from.")
@_yes
@filter_options
def delete(database: str, yes: bool, **options: Any) -> None:
    """Delete the trials that are meant, with every attempt, label and score; a trial known by two names loses one."""
    _remove(database, options, keep=False, yes=yes)


@click.command(cls=ManyValues, many=SEVERAL_FILTERS, epilog=_KEEP_EXAMPLES)
@database_option("The results database to delete from.")
@_yes
@filter_options
def keep(database: str, yes: bool, **options: Any) -> None:
    """Delete all trials but those that are meant."""
    _remove(database, options, keep=True, yes=yes)


def _remove(database: str, options: dict[str, Any], *, keep: bool, yes: bool) -> None:
    from mvarena.cli.reading import open_to_read
    from mvarena.errors import InvalidSetting
    from mvarena.store.database import open_database
    from mvarena.store.filters import chosen
    from mvarena.store.maintenance import removal, remove

    only = filter_from(options)
    if not only:
        raise InvalidSetting(
            "say which trials are meant, as in '--algo mic --status failed'; '--algo \"*\"' means all of them."
        )
    with open_database(database, create=False) if yes else open_to_read(database) as db:
        plan = removal(db, chosen(db, only), keep=keep)
        if not plan.names:
            click.echo("Nothing would go: every trial is meant.")
            return
        _preview(db, plan)
        if not yes:
            click.echo("Nothing was deleted; add --yes to do it.")
            return
        remove(db, plan)
    click.echo("Deleted. 'mvarena results vacuum' gives the room back to the disk.")


def _preview(db: Database, plan: Removal) -> None:
    """What goes: a line for each algorithm, data set and status."""
    from mvarena.store.overview import trials_frame

    frame = trials_frame(db)
    gone = frame[[name in plan.names for name in zip(frame["key"], frame["dataset"], frame["protocol"], strict=True)]]
    counts = gone.groupby(["algorithm", "dataset", "protocol", "status"])["key"].nunique()
    for (algorithm, dataset, protocol, status), count in counts.head(_MOST_SHOWN).items():
        click.echo(f"  {algorithm} on {dataset} (protocol {protocol}): {count} {status.lower().replace('_', ' ')}")
    if len(counts) > _MOST_SHOWN:
        click.echo(f"  and {len(counts) - _MOST_SHOWN} more such lines")
    total, left = frame["key"].nunique(), frame["key"].nunique() - len(plan.keys)
    click.echo(f"{len(plan.keys)} of {total} trials go, {left} stay.")
    if plan.renamed:
        click.echo(f"Of those that stay, {len(plan.renamed)} lose this name and are shown under another.")
