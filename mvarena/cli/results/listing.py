"""`mvarena results list` and `runs`: the content of a database, and the commands that wrote it, in tables."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click
from rich.filesize import decimal

from mvarena.cli.options import SEVERAL_FILTERS, ManyValues, database_option, filter_from, filter_options
from mvarena.cli.output import echo_json, json_option, print_frame, say, shown_duration
from mvarena.text import plural, visible

if TYPE_CHECKING:
    import pandas as pd

    from mvarena.store.database import Database
    from mvarena.store.runs import Run


_BY = {
    "data": "dataset",
    "algo": "algorithm",
    "corrupt": "corruption",
    "protocol": "protocol",
    "status": "status",
}
_LIST_EXAMPLES = """\b
Examples:
  mvarena results list
  mvarena results list --by algo --data "webkb-*"
  mvarena results list --trials --algo apmc --rate 0.3
  mvarena results list --failures --algo ecmsc --traceback
"""


@click.command("list", cls=ManyValues, many=SEVERAL_FILTERS, epilog=_LIST_EXAMPLES)
@database_option("The results database to read.")
@click.option(
    "--by", type=click.Choice(list(_BY)), default="data", show_default=True, help="What each line stands for."
)
@click.option("--trials", "each", is_flag=True, help="One line for each trial, with the key that 'results show' takes.")
@click.option("--failures", is_flag=True, help="One line for each method and reason of failed trials.")
@click.option("--traceback", is_flag=True, help="With --failures: the traceback, or the last output of the worker.")
@json_option
@filter_options
def list_results(
    database: str, by: str, each: bool, failures: bool, traceback: bool, as_json: bool, **options: Any
) -> None:
    """List what is stored: data, methods, conditions, counts, dates and sizes."""
    from mvarena.store.filters import chosen
    from mvarena.store.overview import extent, trials_frame
    from mvarena.store.readonly import open_to_read
    from mvarena.store.trials import FAILURES

    if traceback and not failures:
        raise click.UsageError("--traceback goes with --failures.")
    only = filter_from(options)
    with open_to_read(database) as db:
        frame = trials_frame(db, chosen(db, only))
        size = extent(db)
        if failures:
            failed = frame[frame["status"] != "DONE" if only.statuses else frame["status"].isin(FAILURES)]
            if failed.empty and not as_json:
                say(f"None of {_counted(frame)} failed.")
            else:
                _print_failures(db, failed, traceback, as_json)
            return
    shown = _each(frame) if each else _grouped(frame, by)
    if as_json:
        echo_json(shown)
        return
    print_frame(shown)
    say(f"{_counted(frame)} in {size.where} ({decimal(size.bytes)}, schema {size.schema}).")
    if size.never_tried:
        say(f"{size.never_tried} more trials were planned but not run.")


def _print_failures(db: Database, frame: pd.DataFrame, traceback: bool, as_json: bool) -> None:
    """Failed trials by method and reason: how many, and the key of one of them."""
    from mvarena.store.read_outcomes import outcome_of

    shown = _failed(frame)
    if as_json:
        echo_json(shown)
        return
    for row in shown.itertuples(index=False):
        say(f"{row.algorithm}: {row.status}, {plural(row.trials, 'trial')} on {row.data}: {row.reason}")
        say(f"  mvarena results show {row.key[:12]}")
        if traceback and (outcome := outcome_of(db, row.key)) is not None:
            say(_indented(outcome.traceback or outcome.stderr_tail))


def _grouped(frame: pd.DataFrame, by: str) -> pd.DataFrame:
    """One row for each value of what is grouped by."""
    import pandas as pd

    column = _BY[by]
    rows = []
    for value, part in frame.groupby(column, sort=True):
        once = part.drop_duplicates("key")
        row: dict[str, Any] = {column: value}
        row |= {"methods": _several(part["algorithm"])} if column != "algorithm" else {}
        row |= {"data": _several(part["dataset"])} if column != "dataset" else {}
        row |= {"conditions": _several(_conditions(part))} if column != "corruption" else {}
        row |= {"trials": len(once), **_statuses(once)}
        row |= {"from": f"{part['started_at'].min():%Y-%m-%d}", "to": f"{part['started_at'].max():%Y-%m-%d}"}
        row |= {"hours": round(once["wall_s"].sum() / 3600, 2), "labels": decimal(int(once["label_bytes"].sum()))}
        rows.append(row)
    shown = pd.DataFrame(rows)
    return shown if shown.empty or shown["interrupted"].any() else shown.drop(columns="interrupted")


def _conditions(part: pd.DataFrame) -> list[str]:
    """'missing-even 0.1, 0.3', the rates of each corruption together."""
    rates = part.groupby("corruption")["rate"].unique()
    return [
        name if name == "none" else f"{name} {', '.join(f'{rate:g}' for rate in sorted(item))}"
        for name, item in rates.items()
    ]


def _statuses(once: pd.DataFrame) -> dict[str, int]:
    """Numbers of done, failed, skipped and interrupted trials; the last are no failures, as they run again."""
    from mvarena.contracts.outcome import Status
    from mvarena.store.trials import FAILURES

    groups = {
        "done": (Status.DONE,), "failed": FAILURES, "skipped": (Status.SKIPPED,), "interrupted": (Status.INTERRUPTED,)
    }  # fmt: skip
    return {name: int(once["status"].isin(group).sum()) for name, group in groups.items()}


def _each(frame: pd.DataFrame) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(
        {
            "key": frame["key"].str[:12],
            "data": frame["dataset"],
            "algorithm": frame["algorithm"],
            "parameters": frame["params"].map(_params),
            "corruption": frame["corruption"],
            "rate": frame["rate"].map("{:g}".format),
            "preparation": frame["prepare"],
            "protocol": frame["protocol"],
            "repeat": frame["repeat"],
            "status": frame["status"],
            "began": [f"{item.to_pydatetime().astimezone():%Y-%m-%d %H:%M}" for item in frame["started_at"]],
            "seconds": frame["wall_s"].round(2),
        }
    )


def _params(text: str) -> str:
    return " ".join(f"{name}={json.dumps(value)}" for name, value in json.loads(text).items() if value is not None)


def _failed(frame: pd.DataFrame) -> pd.DataFrame:
    import pandas as pd

    rows = [
        {
            "algorithm": algorithm,
            "status": status,
            "reason": reason or "no reason is stored",
            "trials": part["key"].nunique(),
            "data": _several(part["dataset"]),
            "key": part["key"].iloc[0],
        }
        for (algorithm, status, reason), part in frame.groupby(["algorithm", "status", "reason"], sort=True)
    ]
    return pd.DataFrame(rows)


def _several(values: Any) -> str:
    return ", ".join(sorted(set(map(str, values))))


def _counted(frame: pd.DataFrame) -> str:
    return plural(frame["key"].nunique(), "trial")


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.rstrip().splitlines())


# `mvarena results runs`: the commands that were run.

UNKNOWN = "under way, or killed"
_RUNS_EXAMPLES = """\b
Examples:
  mvarena results runs
  mvarena results runs --db results.db --json
"""


@click.command("runs", epilog=_RUNS_EXAMPLES)
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
