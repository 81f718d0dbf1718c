"""`mvarena results submit`, `verify`, `pull` and `check-repository`: bundles of one method's results on a study."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.completion import names_for
from mvarena.cli.options import Function, as_typed, database_option
from mvarena.cli.output import say
from mvarena.errors import InvalidSetting
from mvarena.text import plural

if TYPE_CHECKING:
    from mvarena.bundles.verify import Verified
    from mvarena.store.database import Database

_MOST_SHOWN = 50
_FOLDER = click.Path(path_type=Path, file_okay=False)
_SUBMIT_EXAMPLES = """\b
Examples:
  mvarena run quick --algo my_method.py:MyMethod --no-controls
  mvarena results submit quick --algo my_method.py:MyMethod --out submissions
"""
_VERIFY_EXAMPLES = """\b
Examples:
  mvarena results verify submissions/my-method/quick
  mvarena results verify submissions/my-method/quick --sample 50 --jobs 4
"""
_PULL_EXAMPLES = """\b
Examples:
  mvarena results pull submissions/my-method/quick --db results.db
  mvarena results pull submissions/my-method/quick --sample 20
  mvarena results pull submissions/my-method/quick --signers allowed_signers
"""


@click.command(epilog=_SUBMIT_EXAMPLES)
@click.argument("study", shell_complete=names_for("study"))
@click.option("--algo", required=True, metavar="NAME", shell_complete=names_for("algo"),
              help="The method: a name, or a class in one file, my_method.py:MyMethod.")  # fmt: skip
@database_option("The results database that holds its trials.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path("submissions"), show_default=True,
              metavar="FOLDER", help="Where the bundle goes, into METHOD/STUDY.")  # fmt: skip
def submit(study: str, algo: str, database: str, out: Path) -> None:
    """Write a bundle of one method's trials on STUDY, to be submitted to a repository of results.

    A bundle is a folder of text files: the trials with their labels and scores, environments, the fingerprint of the
    code, a card of the method, and its file where it is one. Every trial of the study must be stored, failures too.
    """
    from mvarena.bundles.submit import submit as write
    from mvarena.registry.catalog import installed_catalog
    from mvarena.store.readonly import open_to_read

    with open_to_read(database) as db:
        try:
            folder, bundle = write(db, study, algo, out, installed_catalog())
        except OSError as error:
            raise InvalidSetting(
                f"{out} cannot be written ({error.strerror}); name another folder.", field="out"
            ) from error
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    say(f"{folder}: {plural(len(bundle.entries), 'trial')} of {bundle.method}, {size / 1e6:.1f} MB.")
    say("Look through it before you publish it: it names the machine and, of failures, what they said.")


def _checked(command: Function) -> Function:
    """Options of what is checked, and how."""
    for option in (
        click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Worker processes; by default as many as "
                     "there is room for."),
        click.option("--study", metavar="STUDY", help="The study that it must be of, a name or a file; by default the "
                     "one that comes with mvarena and that it names."),
        click.option("--seed", type=int, metavar="S", help="Seed of the draw; by default random. It is printed."),
    ):  # fmt: skip
        command = option(command)
    return command


@click.command(epilog=_VERIFY_EXAMPLES)
@click.argument("bundle", type=_FOLDER)
@click.option("--sample", type=click.IntRange(min=0), default=20, show_default=True, metavar="N",
              help="Number of trials that are run again; 0 runs nothing of the bundle.")  # fmt: skip
@_checked
@click.option("--db", "release", metavar="PATH|URL", help="Stored results whose data and conditions it must be of.")
def verify(bundle: Path, sample: int, release: str | None, **how: Any) -> None:
    """Verify a BUNDLE: look at all of it, then run a sample of its trials again.

    Each trial is compared with its key, the study, and the data, masks and versions here, and its scores with its
    labels; none may be missing. Of those that are run again, labels must be equal and scores within 0.001. Trials that
    differ are listed, with exit code 1.

    The sample runs the submitter's code, with your rights: read it first, or use a container.
    """
    from mvarena.store.readonly import open_to_read

    with nullcontext() if release is None else open_to_read(release) as db:
        found = _verified(bundle, sample, db, **how)
    say(f"{bundle} holds: {plural(len(found.bundle.entries), 'trial')} of {found.bundle.method}, {found.rerun} run "
        "again.")  # fmt: skip


@click.command(epilog=_PULL_EXAMPLES)
@click.argument("bundle", type=_FOLDER)
@database_option("The results database to add to; it is created if it does not exist.")
@click.option("--sample", type=click.IntRange(min=0), default=0, show_default=True, metavar="N",
              help="Number of trials that are run again first, as verify does; the mark is then 're-run'.")  # fmt: skip
@_checked
@click.option("--signers", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Allowed signers, as OpenSSH has them: the bundle must be signed by one of them.")  # fmt: skip
def pull(bundle: Path, database: str, sample: int, signers: Path | None, **how: Any) -> None:
    """Add the trials of a BUNDLE to a results database, marked unverified, re-run or signed.

    It is checked first as 'results verify' does, without running anything unless --sample says so. Trials that are
    stored here already stay as they are. Tables, figures and the site show the mark beside the method.
    """
    from mvarena.bundles.pull import pull as take_in
    from mvarena.bundles.pull import signer_of
    from mvarena.registry.catalog import installed_catalog
    from mvarena.store.database import open_database

    with _told():
        signer = "" if signers is None else signer_of(bundle, signers)
        found = _verified(bundle, sample, None, **how)
        with open_database(database) as db:
            done = take_in(db, found, signer, as_typed(), installed_catalog())
            where = db.where
    mark = f"{done.mark} by {signer}" if signer else done.mark
    say(f"{where}: {plural(done.added, 'trial')} of {found.bundle.method} added, {mark}; {done.here} were here.")
    if done.other:
        say(f"{plural(done.other, 'trial')} of these with other labels in the bundle; ours stay.")
    if done.remarked:
        say(f"{plural(done.remarked, 'trial')} of an earlier pull {'is' if done.remarked == 1 else 'are'} now marked "
            f"{done.mark}.")  # fmt: skip


@click.command(
    "check-repository", epilog="Example: mvarena results check-repository submissions --against old/submissions"
)
@click.argument("folder", type=_FOLDER)
@click.option("--against", type=_FOLDER, metavar="OLD", help="An older state of the repository, such as that of "
              "the branch that a change goes into.")  # fmt: skip
def check_repository(folder: Path, against: Path | None) -> None:
    """Check every bundle in FOLDER, for the CI of a repository of results.

    It looks at schemas, digests and keys, at trials that stand there twice and, against OLD, at trials that were
    dropped: any of these is exit code 1. Every score that differs by more than 0.001 from OLD, and every status, is
    named. It runs no code of a bundle and needs no data.
    """
    from mvarena.bundles.checks import check_repository as check

    with _told():
        result = check(folder, against)
    for sentence in result.changes:
        say(f"Changed: {sentence}")
    _refused(result.problems)
    say(f"{folder} is whole: {plural(result.bundles, 'bundle')}, {plural(result.trials, 'trial')}"
        f"{f', {len(result.changes)} changes' if against else ''}.")  # fmt: skip


def _verified(bundle: Path, sample: int, release: Database | None, *, seed: int | None, **how: Any) -> Verified:
    """The bundle, verified; ends the command with what is wrong."""
    from rich.console import Console
    from rich.progress import Progress

    from mvarena.bundles.verify import verify as look
    from mvarena.registry.catalog import installed_catalog

    seed = int.from_bytes(os.urandom(6)) if seed is None else seed
    if sample:
        say(f"The trials that run again are drawn by seed {seed}.")
    with _told(), Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("checking", total=None)
        found = look(
            bundle, installed_catalog(), sample=sample, seed=seed, release=release, **how,
            on_sample=lambda count: bar.update(task, description="running again", total=count),
            on_trial=lambda: bar.advance(task),
        )  # fmt: skip
    for sentence in found.remarks:
        say(f"Note: {sentence}", err=True)
    return found


@contextmanager
def _told() -> Iterator[None]:
    from mvarena.bundles.files import InvalidBundle

    try:
        yield
    except InvalidBundle as error:
        _refused(error.problems)


def _refused(problems: Any) -> None:
    for sentence in problems[:_MOST_SHOWN]:
        say(f"Refused: {sentence}")
    if len(problems) > _MOST_SHOWN:
        click.echo(f"and {len(problems) - _MOST_SHOWN} more.")
    if problems:
        sys.exit(1)
