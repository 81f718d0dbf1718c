"""`mvarena results merge`, `vacuum` and `check`: databases brought together, made small, looked through."""

from __future__ import annotations

import sys

import click

from mvarena.cli.options import database_option

_MOST_SHOWN = 50
_MERGE_EXAMPLES = """\b
Examples:
  mvarena results merge laptop.db --db results.db
  mvarena results merge results.db --db postgresql://me@host/results
"""


@click.command("merge", epilog=_MERGE_EXAMPLES)
@click.argument("other", metavar="OTHER")
@database_option("The results database to add to; it is made where there is none.")
def merge_results(other: str, database: str) -> None:
    """Add what the database OTHER holds, trial by trial; nothing that is stored is changed, OTHER neither.

    A trial that both hold stays as it is here, unless OTHER's ended better (done rather than failed) or ran again after
    it; scores that are there alone are added. Merging again changes nothing.
    """
    from rich.console import Console
    from rich.progress import Progress

    from mvarena.cli.reading import open_to_read
    from mvarena.store.database import open_database
    from mvarena.store.merge import merge
    from mvarena.store.overview import extent

    with open_to_read(other) as source, open_database(database) as db:
        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("merging", total=extent(source).trials)
            done = merge(db, source, lambda count: bar.advance(task, count))
        where = db.where
    click.echo(
        f"{where}: {done.added} trials added, {done.taken_over} taken over because OTHER's attempt says more, "
        f"{done.completed} completed by names or scores, {done.unchanged} unchanged"
        f"{f'; {done.runs} runs added' if done.runs else ''}."
    )
    for one in done.conflicts[:_MOST_SHOWN]:
        why = "of other code of it" if one.other_code else "of the same code"
        click.echo(f"Conflict: {one.key[:12]} ({one.algorithm}) has other labels in OTHER, {why}; ours stay.")
    if len(done.conflicts) > _MOST_SHOWN:
        click.echo(f"and {len(done.conflicts) - _MOST_SHOWN} more conflicts.")


@click.command("vacuum", epilog="Example: mvarena results vacuum --db results.db")
@database_option("The results database to make small.")
def vacuum_results(database: str) -> None:
    """Give the room of what was deleted back to the disk."""
    from mvarena.store.database import open_database
    from mvarena.store.maintenance import vacuum
    from mvarena.store.overview import bytes_of

    with open_database(database, create=False) as db:
        before = bytes_of(db)
        orphans = vacuum(db)
        after = bytes_of(db)
        where = db.where
    unused = f"; {orphans} rows that nothing refers to are gone" if orphans else ""
    click.echo(f"{where}: {before / 1e6:.2f} MB before, {after / 1e6:.2f} MB now{unused}.")


@click.command("check", epilog="Example: mvarena results check --db results.db")
@database_option("The results database to look through.")
def check_results(database: str) -> None:
    """Look for damage: pages, lost rows, keys that are not those of their descriptions, labels that cannot be decoded.

    Ends with exit code 1 where something is wrong.
    """
    from mvarena.cli.reading import open_to_read
    from mvarena.store.integrity import problems, remarks
    from mvarena.store.overview import extent

    with open_to_read(database) as db:
        found = list(problems(db))
        for sentence in found[:_MOST_SHOWN]:
            click.echo(sentence)
        if len(found) > _MOST_SHOWN:
            click.echo(f"and {len(found) - _MOST_SHOWN} more.")
        if found:
            click.echo(f"{len(found)} things are wrong in {db.where}; restore it from a copy, or delete those trials.")
            sys.exit(1)
        for sentence in remarks(db):
            click.echo(sentence)
        size = extent(db)
        click.echo(f"{db.where} is whole: {size.trials} trials, {size.attempts} attempts.")
