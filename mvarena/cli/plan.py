"""`mvarena plan`: what a study would run, what is stored, what will be skipped, and what it is expected to take."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.options import ManyValues
from mvarena.cli.output import echo_json, json_option, say
from mvarena.cli.study_options import SEVERAL, blocks_from, how_from, save_blocks, study_options
from mvarena.errors import DataUnavailable
from mvarena.study.keys import schema_text
from mvarena.text import plural, without_passwords

if TYPE_CHECKING:
    from mvarena.running import Preview
    from mvarena.store.database import Database
    from mvarena.study.building import Block

_REASONS = 8  # shown, of those for which trials are skipped
_EXAMPLES = """\b
Examples:
  mvarena plan quick
  mvarena plan study.toml --db results.db --jobs 4
  mvarena plan study.toml --shard 2/8
  mvarena plan --algo "mkkm-*" concat --data ready --rates 0.1:0.9:0.2 --save study.toml
  mvarena plan --schema > study.schema.json
"""


@click.command(cls=ManyValues, many=SEVERAL, epilog=_EXAMPLES)
@study_options
@click.option("--save", type=click.Path(path_type=Path), metavar="FILE", help="Write the study to a file.")
@click.option("--schema", is_flag=True, help="Print the JSON schema of study files, for editors, and nothing else.")
@json_option
def plan(as_json: bool, save: Path | None, schema: bool, **options: Any) -> None:
    """Show what a STUDY (as in mvarena run) would do, without running it.

    How many trials there are, how many of them the results database holds, which will be skipped and why, and the time
    and memory to expect, from stored trials of the same methods at this and other sizes; where there are none, from
    measurements of them on digits.
    """
    if schema:
        click.echo(schema_text(), nl=False)
        return
    show_plan(options, save, as_json)


def show_plan(options: Mapping[str, Any], save: Path | None, as_json: bool) -> None:
    """The same for options as `mvarena run` has them."""
    from mvarena.engine.skips import refusals
    from mvarena.registry.catalog import installed_catalog
    from mvarena.running import preview

    blocks, text = blocks_from(options)
    how = how_from(options, text)
    database = _opened(how.db)
    try:
        ahead = preview(database, blocks, how, options.get("rerun", ()))
    except DataUnavailable:  # the study is well formed: it can run where the data are
        if save is not None:
            _save(save, blocks, options)
        raise
    finally:
        if database is not None:
            database.close()
    if save is not None:
        _save(save, blocks, options)
    refused = refusals(ahead.pending.trials, installed_catalog())
    where = (
        without_passwords(how.db) if database is not None else f"{without_passwords(how.db)} (which does not exist yet)"
    )
    if as_json:
        echo_json(_as_json(ahead, refused))
        return
    for line in _lines(ahead, refused, where):
        say(line)


def _save(path: Path, blocks: Sequence[Block], options: Mapping[str, Any]) -> None:
    save_blocks(path, blocks, options)
    click.echo(f"The study is saved in {path}.", err=True)


def _opened(address: str) -> Database | None:
    """The results database, to be read; None for a file that is not there."""
    from mvarena.store.readonly import open_to_read

    return open_to_read(address) if "://" in address or Path(address).exists() else None


def _lines(ahead: Preview, refused: Mapping[str, str], where: str) -> Iterator[str]:
    from mvarena.cli.progress import expected
    from mvarena.study.grid import count_in_words

    trials = ahead.plan.trials
    yield from ahead.plan.notes
    yield ""
    counted: dict[str, set[object]] = {
        "algorithm": {trial.algorithm for trial in trials},
        "data set": {trial.content for trial in trials},
        "condition": {tuple(map(str, trial.corruptions)) for trial in trials},
        "repeat": {trial.repeat for trial in trials},
    }
    text = ", ".join(plural(len(item), what) for what, item in counted.items())
    yield f"{count_in_words(trials)}: {text}."
    kept = Counter(status.lower().replace("_", " ") for status in ahead.pending.kept.values())
    text = ", ".join(f"{count} {status}" for status, count in sorted(kept.items()))
    yield f"Stored in {where}: {sum(kept.values())}{f' ({text})' if text else ''}."
    if not ahead.pending.trials:
        yield "Nothing is left to run."
        return
    again = f", {len(ahead.pending.replacing)} of them again" if ahead.pending.replacing else ""
    yield f"To run: {count_in_words(ahead.pending.trials)}{again}."
    reasons = Counter(refused.values()).most_common()
    for reason, count in reasons[:_REASONS]:
        yield f"Skipped: {count}: {reason}"
    if rest := reasons[_REASONS:]:
        yield f"Skipped: {sum(count for _, count in rest)} for {plural(len(rest), 'other reason')} (--json shows all)."
    yield from expected(ahead.forecast, ahead.jobs)


def _known(seconds: float) -> float | None:
    return None if math.isnan(seconds) else seconds


def _as_json(ahead: Preview, refused: Mapping[str, str]) -> dict[str, Any]:
    middle, least, most = ahead.forecast.total()
    return {
        "trials": len(ahead.plan.trials),
        "stored": dict(Counter(ahead.pending.kept.values())),
        "to_run": len(ahead.pending.trials),
        "again": len(ahead.pending.replacing),
        "to_be_skipped": dict(Counter(refused.values())),
        "seconds": {"expected": middle, "least": _known(least), "most": _known(most)}
        if ahead.forecast.seconds
        else None,
        "seconds_of_scoring": ahead.forecast.scoring_s or None,
        "estimated_trials": len(ahead.forecast.seconds),
        "not_estimated": dict(ahead.forecast.unknown),
        "peak_mb": ahead.forecast.peak_mb or None,
        "notes": list(ahead.plan.notes),
        "keys": [trial.key for trial in ahead.pending.trials],
    }
