"""Details of single trials: each restart, one labelling against the classes, the objective."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from mvarena.site.data import Material
from mvarena.site.scripts import script_of
from mvarena.store.frames import agreement_tables, objectives
from mvarena.text import visible_lines, without_folders

BLOCK = 500  # trials in one script, which a page loads when one of them is looked at
MOST_BYTES = 4_000_000
_AT_A_TIME = 2_000
_MOST_CELLS = 2_500
_MOST_ITERATIONS = 60
_MOST_TEXT = 6_000


def run_scripts(material: Material, most_bytes: int = MOST_BYTES) -> tuple[dict[int, str], int]:
    """Block -> script, and how many trials are in them: those of the first repeats, as long as there is room.

    What did not finish comes first, with its traceback: what went wrong is what is looked at most.
    """
    trials = material.trials
    unfinished = (trials["status"] != "DONE").to_numpy()
    order = np.lexsort((np.arange(len(trials)), trials["repeat"].to_numpy(), ~unfinished))
    blocks: dict[int, dict[int, Any]] = {}
    used = count = 0
    for start in range(0, len(order), _AT_A_TIME):
        for index, run in _runs(material, order[start : start + _AT_A_TIME]):
            used += 40 + 4 * len(str(run)) // 5
            if used > most_bytes:
                return _scripts(blocks), count
            blocks.setdefault(index // BLOCK, {})[index] = run
            count += 1
    return _scripts(blocks), count


def _scripts(blocks: dict[int, dict[int, Any]]) -> dict[int, str]:
    return {block: script_of(f"runs-{block}", runs) for block, runs in sorted(blocks.items())}


def _runs(material: Material, places: np.ndarray[Any, Any]) -> list[tuple[int, dict[str, Any]]]:
    trials = material.trials.iloc[places]
    frame = material.reported.frame
    rows = frame[frame["trial_id"].isin(trials["trial_id"]) & (frame["status"] == "DONE")]
    values, inertias = _by_restart(rows)
    shown = {trial: min(own, key=lambda restart: (own[restart], restart)) for trial, own in inertias.items()}
    keys = {key: shown[trial] for key, trial in zip(trials["key"], trials["trial_id"], strict=True) if trial in shown}
    tables = agreement_tables(material.db, keys, _MOST_CELLS)
    courses = objectives(material.db, trials["key"])
    endings = material.endings.iloc[places]
    result = []
    for index, key, trial, ending in zip(
        places.tolist(), trials["key"], trials["trial_id"], endings.itertuples(index=False), strict=True
    ):
        run: dict[str, Any] = {}
        if key in tables:
            run |= {"restart": shown[trial], "table": tables[key].tolist()}
        if trial in values:
            run |= {"values": values[trial], "restarts": list(inertias[trial])}
            run["inertia"] = [_short(inertia) for inertia in inertias[trial].values()]
        if key in courses:
            run["objective"] = _thinned(courses[key])
        for name in ("traceback", "stderr_tail"):
            if isinstance(text := getattr(ending, name), str) and text:
                run[name] = visible_lines(without_folders(text[-_MOST_TEXT:]))
        if run:
            result.append((index, run))
    return result


def _by_restart(rows: pd.DataFrame) -> tuple[dict[int, dict[str, list[Any]]], dict[int, dict[int, float]]]:
    """Trial -> metric -> its values in the order of the restarts; trial -> restart -> inertia, infinite if unknown."""
    values: dict[int, dict[str, list[Any]]] = {}
    inertias: dict[int, dict[int, float]] = {}
    columns = (rows[name] for name in ("trial_id", "restart", "metric", "value", "inertia"))
    for trial, restart, metric, value, inertia in zip(*columns, strict=True):
        if isinstance(metric, str):
            values.setdefault(trial, {}).setdefault(metric, []).append(_short(value))
            inertias.setdefault(trial, {})[int(restart)] = inertia if inertia == inertia else np.inf
    return values, inertias


def _short(value: float) -> float | None:
    """Six digits; None for what is no finite number."""
    return float(f"{value:.6g}") if np.isfinite(value) else None


def _thinned(course: tuple[float, ...]) -> list[list[float]]:
    """At most 60 iterations and their objectives, the first and the last among them."""
    return [[path + 1, float(f"{course[path]:.6g}")] for path in _kept_places(len(course))]


@lru_cache(maxsize=1_000)  # many trials go on for equally many iterations
def _kept_places(length: int) -> tuple[int, ...]:
    places = np.unique(np.linspace(0, length - 1, min(length, _MOST_ITERATIONS)).round().astype(int))
    return tuple(places.tolist())
