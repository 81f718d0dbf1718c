"""`mvarena plan`: what a study would run, what is stored, what will be skipped, and what it is expected to take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.options import ManyValues
from mvarena.cli.output import echo_json, json_option, say, shown_duration, shown_memory
from mvarena.cli.study_options import SEVERAL, blocks_from, how_from, save_blocks, study_options
from mvarena.text import plural, shown_address

if TYPE_CHECKING:
    from mvarena.analysis.estimates import Forecast
    from mvarena.running import Preview
    from mvarena.store.database import Database


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
@click.option("--save", type=click.Path(path_type=Path), metavar="FILE", help="Write the study to a study file.")
@click.option("--schema", is_flag=True, help="Print the JSON schema of study files, for editors, and nothing else.")
@json_option
def plan(as_json: bool, save: Path | None, schema: bool, **options: Any) -> None:
    """Show what a STUDY (as in mvarena run) would do, without running it.

    How many trials there are, how many of them the results database holds, which will be skipped and why, and the time
    and memory to expect, from stored trials of the same methods at this and other sizes.
    """
    if schema:
        from mvarena.study.keys import schema_text

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
    finally:
        if database is not None:
            database.close()
    if save is not None:
        save_blocks(save, blocks, options)
    refused = refusals(ahead.pending.trials, installed_catalog())
    where = shown_address(how.db) if database is not None else f"{shown_address(how.db)} (which is not there yet)"
    if as_json:
        echo_json(_as_json(ahead, refused))
        return
    for line in _lines(ahead, refused, where):
        say(line)


def _opened(address: str) -> Database | None:
    """The results database, to be read; None for a file that is not there."""
    from mvarena.store.readonly import open_to_read

    return open_to_read(address) if "://" in address or Path(address).exists() else None


def _lines(ahead: Preview, refused: Mapping[str, str], where: str) -> Iterator[str]:
    from mvarena.study.trial_count import count_in_words

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
    again = f", {len(ahead.pending.again)} of them again" if ahead.pending.again else ""
    yield f"To run: {count_in_words(ahead.pending.trials)}{again}."
    for reason, count in Counter(refused.values()).items():
        yield f"To be skipped: {count}: {reason}"
    yield from expected(ahead.forecast, ahead.jobs)


def _as_json(ahead: Preview, refused: Mapping[str, str]) -> dict[str, Any]:
    middle, least, most = ahead.forecast.total()
    return {
        "trials": len(ahead.plan.trials),
        "stored": dict(Counter(ahead.pending.kept.values())),
        "to_run": len(ahead.pending.trials),
        "again": len(ahead.pending.again),
        "to_be_skipped": dict(Counter(refused.values())),
        "seconds": {"expected": middle, "least": least, "most": most} if ahead.forecast.seconds else None,
        "estimated_trials": len(ahead.forecast.seconds),
        "not_estimated": dict(ahead.forecast.unknown),
        "peak_mb": ahead.forecast.peak_mb or None,
        "notes": list(ahead.plan.notes),
        "keys": [trial.key for trial in ahead.pending.trials],
    }


# Forecasts in words: before a run what it is expected to take, and afterwards how good that was.


def expected(found: Forecast, jobs: int) -> Iterator[str]:
    """Sentences on time and memory; on what nothing is known of, too."""
    if found.seconds:
        middle, least, most = found.total()
        longest = max(second.value for second in found.seconds.values())
        together = max(middle / jobs, longest)
        rough = "roughly " if found.is_rough else ""
        # how far it may be off is said only where it is known
        between = f" ({_between(least / jobs, most / jobs)})" if least == least else ""
        part = (
            f" for {len(found.seconds)} of {len(found.seconds) + sum(found.unknown.values())}" if found.unknown else ""
        )
        workers = plural(jobs, "worker")
        yield f"Expected: {rough}{shown_duration(together)}{part} with {workers}{between}, by {_basis(found)}."
    if found.memory:
        yield f"Memory: up to about {shown_memory(found.peak_mb)} in each worker."
    if found.unknown:
        total = sum(found.unknown.values())
        names = ", ".join(f"{name} ({n})" for name, n in sorted(found.unknown.items()))
        yield f"Not estimated: {total}, of {names}: nothing of theirs is stored at such a size."


def verdict(found: Forecast, took: Mapping[str, float]) -> str:
    """Comparison of the estimate with the trials that finished; '' where no estimate was made.

    took : key -> seconds.
    """
    both = [key for key in took if key in found.seconds]
    if not both:
        return ""
    middle, least, most = found.total(both)
    real = sum(took[key] for key in both)
    inside = ""
    if least == least:
        inside = f", {'within' if least <= real <= most else 'outside of'} {_between(least, most)}"
    return (
        f"Expected {shown_duration(middle)} of computing; it took {shown_duration(real)}, "
        f"{real / middle:.2f} times as long{inside}."
    )


def _between(least: float, most: float) -> str:
    return f"{shown_duration(least)} to {shown_duration(most)}"


def _basis(found: Forecast) -> str:
    words = {
        "same data": "trials stored on the same data",
        "power law": "a power law in n over stored trials",
        "rough": "stored trials of too few sizes",
    }
    return ", ".join(words[word] for word in words if any(guess.basis == word for guess in found.seconds.values()))
