"""`mvarena results labels`: the clusters that a stored trial found, as a table of samples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mvarena.cli.options import database_option
from mvarena.cli.output import json_option, say

_EXAMPLES = """\b
Examples:
  mvarena results list --trials
  mvarena results labels 158d1ed3 --out labels.csv
"""


@click.command("labels", epilog=_EXAMPLES)
@click.argument("trial")
@database_option("The results database to read.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write to a .csv file.")
@json_option
def trial_labels(trial: str, database: str, out: Path | None, as_json: bool) -> None:
    """Write the cluster of each sample that a stored trial found, for each of its restarts.

    TRIAL is its key, or the first digits of it. Samples are in the order of the data, by their ids where the data have
    some, else numbered from 1, as the clusters are; the first column of clusters is that of the restart of lowest
    inertia.
    """
    import pandas as pd

    from mvarena.errors import MvarenaError
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
    columns |= {f"restart {number}": item.labels + 1 for number, item in enumerate(stored)}
    table = pd.DataFrame(columns)
    if as_json:
        from mvarena.cli.output import echo_json

        echo_json(table.to_json(orient="records"))
        return
    text = table.to_csv(index=False)
    if out is None:
        say(text, nl=False)
    else:
        write_file(out, text)
        say(f"Labels: {out}")
