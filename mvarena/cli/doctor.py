"""`mvarena doctor`: what a run finds here, and what of it wants mending."""

from __future__ import annotations

import sys
from dataclasses import asdict

import click

from mvarena.cli.json_output import echo_json, json_option
from mvarena.cli.options import DEFAULT_DATABASE
from mvarena.cli.say import say
from mvarena.text import shown_address

_EXAMPLES = """\b
Examples:
  mvarena doctor
  mvarena doctor --db results.db
  mvarena doctor --scheduler tcp://head:8786
"""


@click.command(epilog=_EXAMPLES)
@click.option(
    "--db",
    "database",
    metavar="PATH|URL",
    envvar="MVARENA_DB",
    help=f"A results database to look into; by default {DEFAULT_DATABASE}, if it is there.",
)
@click.option("--scheduler", metavar="ADDRESS", help="A Dask scheduler to look at, with its workers.")
@json_option
def doctor(database: str | None, scheduler: str | None, as_json: bool) -> None:
    """Look at the environment, BLAS and its threads, memory, data at hand, a results database, plugins, and a Dask
    scheduler.

    Nothing is changed and nothing downloaded. Exit code 1 if there is something to mend.
    """
    from mvarena.cli.examination import examined

    findings = examined(database, scheduler)
    if as_json:
        echo_json([asdict(finding) for finding in findings])
    else:
        width = max(len(finding.about) for finding in findings)
        for finding in findings:
            mark = {"ok": "  ", "note": "- ", "problem": "! "}[finding.state]
            say(f"{mark}{finding.about:<{width}}  {shown_address(finding.says)}")
    problems = sum(finding.state == "problem" for finding in findings)
    if problems:
        click.echo(f"{problems} thing{'s' if problems > 1 else ''} to mend, marked with !.", err=True)
        sys.exit(1)
