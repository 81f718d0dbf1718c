"""`mvarena results show`: everything that is stored of one trial, or the clusters that it found."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from mvarena.cli.options import database_option
from mvarena.cli.output import echo_json, json_option, say
from mvarena.cli.results.listing import UNKNOWN
from mvarena.errors import MvarenaError

_MOST_RUNS = 10
_LONG = ("traceback", "stdout", "stderr")
_EXAMPLES = """\b
Examples:
  mvarena results list --trials
  mvarena results show 158d1ed3
  mvarena results show 158d1ed3 --labels --out labels.csv
"""


@click.command("show", epilog=_EXAMPLES)
@click.argument("trial")
@database_option("The results database to read.")
@click.option("--labels", is_flag=True, help="Print the cluster of each sample as .csv, for each restart.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="With --labels: write "
              "them to a .csv file.")  # fmt: skip
@json_option
def show_trial(trial: str, database: str, labels: bool, out: Path | None, as_json: bool) -> None:
    """Show all that is stored of one trial, or its labels.

    TRIAL is its key, or the first digits of it. Shown are its settings, scores, runs, attempts, environment, traceback
    and the end of what it printed. With --labels the samples are in the order of the data, by their ids or numbered
    from 1, as the clusters are; the first column of clusters is that of the restart of lowest inertia.
    """
    if out is not None and not labels:
        raise click.UsageError("--out goes with --labels.")
    if out is not None and as_json:
        raise click.UsageError("--out writes .csv; give it without --json, which prints.")
    if labels:
        _print_labels(trial, database, out, as_json)
        return
    from mvarena.store.overview import key_of
    from mvarena.store.read_outcomes import details
    from mvarena.store.readonly import open_to_read

    with open_to_read(database) as db:
        result = details(db, key_of(db, trial))
    if as_json:
        echo_json(result)
        return
    spreads = result.pop("spreads", {})
    for name, value in result.items():
        if value not in (None, "", [], {}) and name not in _LONG:
            _say(name.replace("_", " "), value, spreads)
    for name in _LONG:
        if text := result.get(name):
            say(f"{name}:")
            say("\n".join(f"  {line}" for line in str(text).rstrip().splitlines()))


def _say(name: str, value: Any, spreads: Mapping[str, float]) -> None:
    if name == "scores":
        say("scores:")
        width = max(map(len, value))
        for metric, number in value.items():
            spread = f" ± {spreads[metric]:.4f} over the restarts" if metric in spreads else ""
            say(f"  {metric:<{width}}  {'not a number' if math.isnan(number) else f'{number:.4f}'}{spread}")
    elif name == "attempts":
        say("attempts:")
        for item in value:
            say(f"  {item['number']}: {item['status']}, {item['started_at']}, {item['wall_s']:.2f} s")
    elif name == "runs":
        say("requested by:")
        for item in value[-_MOST_RUNS:]:
            say(f"  {item['began'][:16].replace('T', ' ')} UTC, {item['ended'] or UNKNOWN}: {item['command']}")
        if len(value) > _MOST_RUNS:
            say(f"  and {len(value) - _MOST_RUNS} earlier runs (mvarena results runs)")
    elif name == "names":
        called = [f"{item['data']} (protocol {item['protocol']})" for item in value]
        say(f"data: {'; '.join(called)}")
    else:
        say(f"{name}: {_text(value)}")


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={_text(item)}" for name, item in value.items())
    if isinstance(value, list):
        shown = [_text(item) for item in (value if len(value) <= 8 else [*value[:4], "...", *value[-3:]])]
        return f"[{', '.join(shown)}]"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _print_labels(trial: str, database: str, out: Path | None, as_json: bool) -> None:
    """Print or write the clusters of each restart, as a table of samples."""
    import pandas as pd

    from mvarena.report.files import write_file
    from mvarena.store.contents import ids_of_trial
    from mvarena.store.overview import key_of
    from mvarena.store.read_outcomes import labellings
    from mvarena.store.readonly import open_to_read

    with open_to_read(database) as db:
        key = key_of(db, trial)
        stored = labellings(db, key)
        ids = ids_of_trial(db, key, len(stored[0].labels)) if stored else None
    if not stored:
        raise MvarenaError(f"The trial {key[:8]} has no labels; see mvarena results show {key[:8]}.")
    best = min(range(len(stored)), key=lambda i: (stored[i].inertia is None, stored[i].inertia or 0.0))
    columns: dict[str, Any] = {"sample": ids or range(1, len(stored[0].labels) + 1)}
    columns |= {"cluster": stored[best].labels + 1}
    if len(stored) > 1:
        columns |= {f"restart {number}": item.labels + 1 for number, item in enumerate(stored)}
    table = pd.DataFrame(columns)
    if as_json:
        echo_json(table)
        return
    text = table.to_csv(index=False)
    if out is None:
        click.echo(text, nl=False)
    else:
        write_file(out, text)
        say(f"Labels: {out}")
