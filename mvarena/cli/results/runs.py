"""`mvarena results runs`: the commands that were run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.options import database_option
from mvarena.cli.output import echo_json, json_option, print_frame, say, shown_duration
from mvarena.text import plural, visible

if TYPE_CHECKING:
    from mvarena.store.runs import Run


UNKNOWN = "under way, or killed"
_EXAMPLES = """\b
Examples:
  mvarena results runs
  mvarena results runs --db results.db --json
"""


@click.command("runs", epilog=_EXAMPLES)
@database_option("The results database to read.")
@json_option
def list_runs(database: str, as_json: bool) -> None:
    """List the runs that wrote into a database: their times, numbers of trials, ends and commands.

    A command is shown as it was typed, without passwords. The number of trials includes those
    that were stored already. JSON has more: the study file, the version of mvarena, the environment.
    """
    import pandas as pd

    from mvarena.store.frames import environments_by_id
    from mvarena.store.readonly import open_to_read
    from mvarena.store.runs import runs_of

    with open_to_read(database) as db:
        runs = runs_of(db)
        environments = environments_by_id(db) if as_json else {}
        where = db.where
    if as_json:
        echo_json([_whole(item, environments.get(item.environment_id, {})) for item in runs])
        return
    if not runs:
        say(f"{where} holds no runs; its trials were stored by an older version of mvarena.")
        return
    print_frame(pd.DataFrame(map(_line, runs)))
    say(f"{plural(len(runs), 'run')} in {where}.")


def _line(run: Run) -> dict[str, Any]:
    return {
        "began": f"{run.began.astimezone():%Y-%m-%d %H:%M}",
        "took": "" if run.seconds is None else shown_duration(run.seconds),
        "trials": run.n_trials,
        "ended": run.how.value or UNKNOWN,
        "command": visible(run.command),
    }


def _whole(run: Run, environment: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": run.id,
        "command": run.command,
        "study": run.study or None,
        "began": run.began.isoformat(),
        "ended": None if run.ended is None else run.ended.isoformat(),
        "seconds": run.seconds,
        "how": run.how.value or None,
        "trials": run.n_trials,
        "mvarena": run.mvarena,
        "environment": environment,
    }
