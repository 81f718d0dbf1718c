"""Preview of a run: its trials, what is stored of them, which are skipped, and the time and memory to expect.

`mvarena run` begins with it, and `mvarena run --dry-run` prints nothing else.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mvarena.cli.output import echo_json, say, shown_duration, shown_memory
from mvarena.cli.study_options import blocks_from, how_from, save_typed
from mvarena.errors import DataUnavailable
from mvarena.text import plural, without_passwords

if TYPE_CHECKING:
    from mvarena.analysis.estimates import Forecast
    from mvarena.running import Preview
    from mvarena.store.database import Database

_MOST_NAMED = 5  # methods of which no time is known
_NO_REFUSALS: Mapping[str, str] = {}
MORE = "(-v shows more)"


def show_preview(options: Mapping[str, Any], save: Path | None, *, as_json: bool, verbose: bool) -> None:
    """Print the preview of a run. options : of `mvarena run`. save : where the study goes, if anywhere."""
    from rich.console import Console

    from mvarena.engine.skips import refusals
    from mvarena.registry.catalog import installed_catalog
    from mvarena.running import preview

    blocks, text = blocks_from(options)
    how = how_from(options, text)
    database = _opened(how.db)
    try:
        with Console(stderr=True).status("loading data"):
            ahead = preview(database, blocks, how, options.get("rerun", ()))
            refused = refusals(ahead.pending.trials, installed_catalog())
    except DataUnavailable:  # the study is well formed: it can run where the data are
        _save(save, options)
        raise
    finally:
        if database is not None:
            database.close()
    _save(save, options)
    if as_json:
        echo_json(_as_json(ahead, refused))
        return
    where = without_passwords(how.db)
    for line in preview_lines(ahead, where if database is not None else f"{where} (new)", refused, verbose=verbose):
        say(line)


def _save(path: Path | None, options: Mapping[str, Any]) -> None:
    if path is not None:
        save_typed(path, options)
        say(f"The study is saved in {path}.", err=True)


def _opened(address: str) -> Database | None:
    """The results database, to be read; None for a file that is not there."""
    from mvarena.store.readonly import open_to_read

    return open_to_read(address) if "://" in address or Path(address).exists() else None


def preview_lines(
    ahead: Preview, where: str, refused: Mapping[str, str] = _NO_REFUSALS, *, verbose: bool = False
) -> Iterator[str]:
    """Sentences on a run: first its numbers, then its defaults.

    where : the database, '' to leave it out. refused : key -> why the method does not take the data
    (`mvarena.engine.skips`), if that was found out. verbose : with the scaling of each view, the adaptation of each
    method and each reason to skip.
    """
    trials = ahead.plan.trials
    apart = baselines()
    methods = {trial.algorithm for trial in trials}
    settings = {(trial.algorithm, str(trial.params)) for trial in trials if trial.algorithm not in apart}
    counted: dict[str, set[object]] = {
        "method": set(methods - apart),
        "parameter setting": set(settings) if len(settings) > len(methods - apart) else set(),
        "baseline": set(methods & apart),
        "data set": {trial.content for trial in trials},
        "condition": {tuple(map(str, trial.corruptions)) for trial in trials},
        "repeat": {trial.repeat for trial in trials},
    }
    text = ", ".join(plural(len(item), what) for what, item in counted.items() if item)
    yield f"{plural(len(trials), 'trial')}: {text}."
    kept = Counter(status.lower().replace("_", " ") for status in ahead.pending.kept.values())
    if kept:
        text = ", ".join(f"{count} {status}" for status, count in sorted(kept.items()))
        yield f"Stored{f' in {where}' if where else ''}: {sum(kept.values())} ({text})."
    if ahead.pending.trials:
        again = f", {len(ahead.pending.replacing)} of them again" if ahead.pending.replacing else ""
        results = f" Results: {where}." if where else ""
        yield f"To run: {plural(len(ahead.pending.trials), 'trial')}{again}.{results}"
        yield from _skipped(refused, verbose)
        yield from expected(ahead.forecast, ahead.jobs, verbose=verbose)
    else:
        yield "Nothing is left to run."
    for note in ahead.plan.notes:
        yield f"{note} {MORE}" if note.startswith("Adaptation:") and ahead.plan.details and not verbose else note
    if verbose:
        yield from ahead.plan.details


def baselines() -> frozenset[str]:
    """Names of the installed controls."""
    from mvarena.registry.catalog import installed_catalog
    from mvarena.study.families import controls

    return frozenset(spec.name for spec in controls(installed_catalog()))


def _skipped(refused: Mapping[str, str], verbose: bool) -> Iterator[str]:
    reasons = Counter(refused.values()).most_common()
    for reason, count in reasons if verbose else reasons[:1]:
        more = f" And {sum(refused[key] != reason for key in refused)} for {plural(len(reasons) - 1, 'other reason')}."
        yield f"Skipped: {count}: {reason}" + ("" if verbose or len(reasons) == 1 else f"{more} {MORE}")


def expected(found: Forecast, jobs: int, *, verbose: bool = False) -> Iterator[str]:
    """Sentences on time and memory, and on methods of which nothing is known; baselines take no time.

    verbose : with every such method.
    """
    apart = baselines()
    unknown = {name: count for name, count in sorted(found.unknown.items()) if name not in apart}
    if found.seconds:
        middle, least, most = found.total()
        longest = max(found.seconds.values(), key=lambda item: item.value)
        together = max(middle / jobs, longest.value)
        low = max(least / jobs, longest.value / longest.spread)
        high = max(most / jobs, longest.value * longest.spread)
        rough = "roughly " if found.is_rough else ""
        between = "" if math.isnan(least) else f" ({shown_duration(low)} to {shown_duration(high)})"
        part = " without the methods named below" if unknown else ""
        memory = f"; up to {shown_memory(found.peak_mb)} in each" if found.memory else ""
        yield (f"Expected: {rough}{shown_duration(together)}{part} with {plural(jobs, 'worker')}{between}{memory}, "
               f"from {_basis(found)}.")  # fmt: skip
    if unknown:
        names = [f"{name} ({plural(count, 'trial')})" for name, count in unknown.items()]
        rest = "" if verbose or len(names) <= _MOST_NAMED else f" and {len(names) - _MOST_NAMED} more {MORE}"
        yield f"Time unknown: {', '.join(names if not rest else names[:_MOST_NAMED])}{rest}."


def _basis(found: Forecast) -> str:
    words = {
        "same data": "trials stored on the same data",
        "power law": "a power law in n fitted to stored trials",
        "rough": "stored trials at few numbers of samples",
        "measured": "measurements on digits",
    }
    return ", ".join(words[word] for word in words if any(guess.basis == word for guess in found.seconds.values()))


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
        "estimated_trials": len(ahead.forecast.seconds),
        "not_estimated": dict(ahead.forecast.unknown),
        "peak_mb": ahead.forecast.peak_mb or None,
        "notes": [*ahead.plan.notes, *ahead.plan.details],
        "keys": [trial.key for trial in ahead.pending.trials],
    }
