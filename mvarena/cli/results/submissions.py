"""`mvarena results submit` and `verify`: the results of one method on a study, for others to check and take in."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from mvarena.cli.completion import names_for
from mvarena.cli.options import database_option
from mvarena.cli.output import say
from mvarena.errors import InvalidSetting
from mvarena.text import plural

_MOST_SHOWN = 50
_SUBMIT_EXAMPLES = """\b
Examples:
  mvarena run quick --algo my_method.py:MyMethod --no-controls
  mvarena results submit quick --algo my_method.py:MyMethod
"""
_VERIFY_EXAMPLES = """\b
Examples:
  mvarena results verify submissions/my-method/quick
  mvarena results verify submissions/my-method/quick --sample 50 --jobs 4
"""


@click.command(epilog=_SUBMIT_EXAMPLES)
@click.argument("study", shell_complete=names_for("study"))
@click.option("--algo", required=True, metavar="NAME", shell_complete=names_for("algo"),
              help="The method: a name, or a class in one file, my_method.py:MyMethod.")  # fmt: skip
@database_option("The results database that holds its trials.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path("submissions"), show_default=True,
              metavar="FOLDER", help="Where the submission goes, into METHOD/STUDY.")  # fmt: skip
def submit(study: str, algo: str, database: str, out: Path) -> None:
    """Write the results of one method on STUDY into a folder that others can verify and merge.

    The folder holds a small results database with every trial of the study, failures too, a card, and the file of the
    method if it is one.
    """
    from mvarena.arena.submissions import submit as write
    from mvarena.registry.catalog import installed_catalog
    from mvarena.store.readonly import open_to_read

    with open_to_read(database) as db:
        try:
            made = write(db, study, algo, out, installed_catalog())
        except OSError as error:
            raise InvalidSetting(
                f"{out} cannot be written ({error.strerror}); name another folder.", field="out"
            ) from error
    size = made.db.stat().st_size / 1e6
    say(f"{made.folder}: {plural(made.card['trials'], 'trial')} of {made.card['method']}, {size:.1f} MB.")
    say("Look through it before you publish it: it describes this machine, and holds the messages of failed trials.")


@click.command(epilog=_VERIFY_EXAMPLES)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--sample", type=click.IntRange(min=1), default=20, show_default=True, metavar="N",
              help="Number of trials to run again.")  # fmt: skip
@click.option(
    "--seed", type=int, metavar="S", help="Seed of the draw of these trials; by default random. It is printed."
)
@click.option("--study", metavar="STUDY", help="The study that it must be of, a name or a file.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Number of worker processes; by default as many "
              "as there is room for.")  # fmt: skip
def verify(folder: Path, sample: int, seed: int | None, **how: Any) -> None:
    """Verify the submission in FOLDER: check all of its trials, and run a sample of them again.

    The trials must be exactly those of the study, each ended, with the scores that their labels have here. The sample
    must give the same labels again, and the method must not read classes. Exit code 1, with a sentence for each
    problem, where the submission is refused. 'mvarena results merge FOLDER' adds one that holds to a database.

    The submitter's code runs with your rights: read it first, or use a container.
    """
    from mvarena.arena.verify import Refused
    from mvarena.arena.verify import verify as check
    from mvarena.registry.catalog import installed_catalog

    seed = int.from_bytes(os.urandom(6)) if seed is None else seed
    say(f"The trials that run again are drawn by seed {seed}.")
    try:
        found = check(folder, installed_catalog(), sample=sample, seed=seed, **how)
    except Refused as refusal:
        for sentence in refusal.problems[:_MOST_SHOWN]:
            say(f"Refused: {sentence}")
        if len(refusal.problems) > _MOST_SHOWN:
            say(f"and {len(refusal.problems) - _MOST_SHOWN} more.")
        sys.exit(1)
    for sentence in found.remarks:
        say(f"Note: {sentence}", err=True)
    say(f"{folder} holds: {plural(found.trials, 'trial')} of {found.submission.card['method']}, {found.again} run "
        "again.")  # fmt: skip
