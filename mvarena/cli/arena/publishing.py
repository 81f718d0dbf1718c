"""`mvarena arena release`, `page`, `board` and `changes`: releases made, checked, shown and compared."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from mvarena.arena.suites import SUITES
from mvarena.cli.arena.entering import lite_option, print_board, release_option
from mvarena.cli.output import echo_json, json_option, say

_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command()
@click.argument("folder", type=_FOLDER, metavar="FOLDER")
@click.option("--db", "database", type=click.Path(path_type=Path, dir_okay=False), required=True, metavar="PATH",
              help="The database of the run, which stays as it is.")  # fmt: skip
@click.option("--suite", type=click.Choice(SUITES), required=True, help="The suite that was run.")
@click.option("--name", required=True, help="The release's name, such as arena-2027.1.")
@click.option("--since", default="", metavar="FOLDER",
              help="An earlier release, relative to FOLDER, that the page tells the changes from.")  # fmt: skip
def release(folder: Path, database: Path, suite: str, name: str, since: str) -> None:
    """Make a release in FOLDER of a run's database: a small database, a card (release.toml) and a page.

    Of each trial the labelling and the scores stay that its protocol counts.
    """
    from mvarena.arena.publishing import publish

    made = publish(database, folder, name, suite, since)
    say(f"Wrote {made.name} into {folder}: {made.db.stat().st_size / 1e6:.1f} MB of results, its card and its page.")


@click.command()
@click.argument("folder", type=_FOLDER, metavar="FOLDER", default="reports/arena")
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 where a file is not what the database gives.")
def page(folder: Path, check: bool) -> None:
    """Make the card, the page and the .csv files of the release in FOLDER again from its database."""
    from mvarena.arena.publishing import outdated, write_page
    from mvarena.arena.release import read_release

    made = read_release(folder)
    if not check:
        changed = write_page(made)
        say(f"Wrote {', '.join(changed)} in {folder}." if changed else f"All files in {folder} are up to date.")
        return
    if wrong := outdated(made):
        say(f"{', '.join(wrong)} in {folder}: not what the database gives; 'mvarena arena page {folder}' makes them.")
        sys.exit(1)
    say(f"The files in {folder} are what its database gives.")


@click.command()
@lite_option
@release_option
@json_option
def board(lite: bool, folder: Path | None, as_json: bool) -> None:
    """Show the board of a release: every method with its rating, interval and scores, and what may be claimed."""
    from mvarena.arena.entering import stored_board
    from mvarena.arena.release import release_of

    made = release_of(SUITES[lite], folder)
    found = stored_board(made)
    if as_json:
        echo_json(found.table.to_json(orient="records", indent=2, double_precision=6))
        return
    print_board(found, f"{made.name}, of {made.card.get('date', 'no date')}")
    say(found.claim)


@click.command()
@click.argument("before", type=_FOLDER, metavar="BEFORE")
@click.argument("after", type=_FOLDER, metavar="AFTER", default="reports/arena")
@json_option
def changes(before: Path, after: Path, as_json: bool) -> None:
    """Show what changed from one release to another: new and gone methods, places, and scores of the same repeats."""
    from mvarena.arena.changes import changes as compared
    from mvarena.arena.changes import changes_part
    from mvarena.arena.entering import stored_board
    from mvarena.arena.release import read_release

    older, newer = read_release(before), read_release(after)
    boards = stored_board(older), stored_board(newer)
    if as_json:
        echo_json(compared(*boards).to_json(orient="records", indent=2, double_precision=6))
    else:
        say(changes_part(*boards, older.name))
