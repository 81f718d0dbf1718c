"""`mvarena results delete`, `merge`, `vacuum` and `check`: what changes a database, and whether it is whole."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.options import SEVERAL_FILTERS, ManyValues, database_option, filter_from, filter_options
from mvarena.cli.output import say
from mvarena.errors import InvalidSetting
from mvarena.text import plural, without_passwords

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvarena.store.database import Database


_MOST_SHOWN = 20
_DELETE_EXAMPLES = """\b
Examples:
  mvarena results delete --algo "mkkm-*" --status timeout
  mvarena results delete --protocol apmc --yes
  mvarena results delete --all-but --data digits 3sources --protocol fair
"""


@click.command(cls=ManyValues, many=SEVERAL_FILTERS, epilog=_DELETE_EXAMPLES)
@database_option("The results database to delete from.")
@click.option("--all-but", "keep", is_flag=True, help="Delete all trials but the selected ones.")
@click.option("--yes", is_flag=True, help="Delete; without it the command only shows what would be deleted.")
@filter_options
def delete(database: str, keep: bool, yes: bool, **options: Any) -> None:
    """Delete the selected trials with their attempts, labels and scores.

    Of a trial that is stored under two names of its data, only the selected name is removed.
    """
    from mvarena.store.database import open_database
    from mvarena.store.filters import chosen
    from mvarena.store.maintenance import removal, remove
    from mvarena.store.readonly import open_to_read

    only = filter_from(options)
    if not only:
        raise InvalidSetting(
            "select the trials, as in '--algo mic --status failed'; '--algo \"*\"' selects all of them."
        )
    with open_database(database, create=False) if yes else open_to_read(database) as db:
        keys = removal(db, chosen(db, only), keep=keep)
        if not keys:
            say("Nothing would be deleted: every trial is kept.")
            return
        _preview(db, keys)
        if not yes:
            say("Nothing was deleted; add --yes to do it.")
            return
        remove(db, keys)
    say("Deleted. 'mvarena results vacuum' releases the disk space.")


def _preview(db: Database, keys: Sequence[str]) -> None:
    """Print the trials to delete: a line for each algorithm, data set and status."""
    from mvarena.store.overview import trials_frame

    frame = trials_frame(db)
    gone = frame[frame["key"].isin(keys)]
    counts = gone.groupby(["algorithm", "dataset", "protocol", "status"])["key"].nunique()
    for (algorithm, dataset, protocol, status), count in counts.head(_MOST_SHOWN).items():
        say(f"  {algorithm} on {dataset} (protocol {protocol}): {count} {status.lower().replace('_', ' ')}")
    if len(counts) > _MOST_SHOWN:
        say(f"  and {len(counts) - _MOST_SHOWN} more lines")
    total, left = frame["key"].nunique(), frame["key"].nunique() - len(keys)
    say(f"{len(keys)} of {total} trials to delete, {left} stay.")


# `mvarena results merge`, `vacuum` and `check`: databases merged, compacted and checked.

_MOST_CONFLICTS_SHOWN = 50
_MERGE_EXAMPLES = """\b
Examples:
  mvarena results merge laptop.db --db results.db
  mvarena results merge part-*.db --db results.db
  mvarena results merge results.db --db postgresql://me@host/results
"""


@click.command("merge", epilog=_MERGE_EXAMPLES)
@click.argument("others", nargs=-1, required=True, metavar="OTHER...")
@database_option("The results database to add to; it is created if it does not exist.")
def merge_results(others: tuple[str, ...], database: str) -> None:
    """Add the trials of the databases OTHER, which themselves are not changed. OTHER may be a submission's folder.

    A trial that both hold stays as it is here, unless OTHER's ended better (done rather than failed) or ran again after
    it; scores that are there alone are added. Merging again changes nothing.

    OTHER is checked first, as by 'mvarena results check'; where anything is wrong with it, nothing of it is added.
    """
    from mvarena.store.database import open_database
    from mvarena.store.readonly import open_to_read

    addresses = [_database_in(other) for other in others]
    for other in addresses:
        open_to_read(other).close()  # what is refused leaves no new database
    with open_database(database) as db:
        for other in addresses:
            if len(others) > 1:
                say(f"{without_passwords(other)}:")
            _merge(db, other)


def _database_in(other: str) -> str:
    """The database of a submission's folder; any other address as it is."""
    from mvarena.arena.submissions import CARD, read_submission

    return str(read_submission(Path(other)).db) if (Path(other) / CARD).is_file() else other


def _merge(db: Database, other: str) -> None:
    """Add the trials of one database and say what came of it."""
    from rich.console import Console
    from rich.progress import Progress

    from mvarena.store.merge import merge
    from mvarena.store.overview import extent
    from mvarena.store.readonly import open_to_read

    with open_to_read(other) as source, Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("merging", total=extent(source).trials)
        done = merge(db, source, lambda count: bar.advance(task, count))
    say(
        f"{db.where}: {done.added} trials added, {done.taken_over} replaced by a newer or better attempt, "
        f"{done.completed} extended by names or scores, {done.unchanged} "
        f"unchanged{f'; {done.runs} runs added' if done.runs else ''}."
    )
    for conflict in done.conflicts[:_MOST_CONFLICTS_SHOWN]:
        say(
            f"Conflict: {conflict.key[:12]} ({conflict.algorithm}) has different labels in OTHER; those of this "
            "database are kept."
        )
    if len(done.conflicts) > _MOST_CONFLICTS_SHOWN:
        say(f"and {len(done.conflicts) - _MOST_CONFLICTS_SHOWN} more conflicts.")


_VACUUM_EXAMPLES = """\b
Examples:
  mvarena results vacuum --db results.db
  mvarena results vacuum --drop-labels
"""


@click.command("vacuum", epilog=_VACUUM_EXAMPLES)
@click.option("--drop-labels", is_flag=True, help="Drop all labels first: trials, scores and the list of runs stay, "
              "but metrics that are asked for later cannot be computed.")  # fmt: skip
@database_option("The results database to compact.")
def vacuum_results(database: str, drop_labels: bool) -> None:
    """Release the disk space of deleted trials; make a database small enough to be published."""
    from mvarena.store.database import open_database
    from mvarena.store.maintenance import thin, vacuum
    from mvarena.store.overview import bytes_of

    with open_database(database, create=False) as db:
        before = bytes_of(db)
        unused = thin(db) if drop_labels else vacuum(db)
        after = bytes_of(db)
        where = db.where
    removed = f"; {plural(unused, 'unneeded row was', 'unneeded rows were')} removed" if unused else ""
    say(f"{where}: {before / 1e6:.2f} MB before, {after / 1e6:.2f} MB now{removed}.")


@click.command("check", epilog="Example: mvarena results check --db results.db")
@database_option("The results database to check.")
def check_results(database: str) -> None:
    """Check a database for damage.

    It looks for other tables than mvarena's, broken pages, lost rows, and keys that do not match their descriptions.
    Exit code 1 if something is wrong.
    """
    from mvarena.store.checks import problems
    from mvarena.store.overview import extent
    from mvarena.store.readonly import open_to_read

    with open_to_read(database) as db:
        values = list(problems(db))
        for sentence in values[:_MOST_CONFLICTS_SHOWN]:
            say(sentence)
        if len(values) > _MOST_CONFLICTS_SHOWN:
            say(f"and {len(values) - _MOST_CONFLICTS_SHOWN} more.")
        if values:
            say(f"{len(values)} problems were found in {db.where}; restore it from a copy, or delete those trials.")
            sys.exit(1)
        size = extent(db)
        say(f"{db.where} is intact: {size.trials} trials, {size.attempts} attempts.")
