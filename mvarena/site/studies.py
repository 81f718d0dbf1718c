"""Studies of a database: one per stored command, and one for the trials whose command is not stored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mvarena.site.data import Material
from mvarena.site.scripts import script_of
from mvarena.store.frames import agreement_tables, objectives
from mvarena.store.runs import Run, keys_of_runs, runs_of
from mvarena.study.request import BY_PYTHON
from mvarena.text import visible, visible_lines, without_folders

_NO_COMMAND = "Trials of which no command is stored"


def studies_of(material: Material) -> tuple[list[dict[str, Any]], dict[str, list[Any]]]:
    """Return the studies, the largest first, and for each trial of `Material.trials` the studies that it is part of.

    first, last : when the first trial began, and the last; where the runs are known, when the first of these began and
    the last ended. The trials of no stored command are one study without runs.
    The second is coded as a column of the trials' table: a trial may have been asked for by several.
    """
    trials = material.trials.assign(place=range(len(material.trials)))
    for name in ("started_at", "environment_id"):
        trials[name] = material.endings[name].to_numpy()
    studies: list[tuple[dict[str, Any], pd.DataFrame]] = []
    unknown = np.ones(len(trials), dtype=bool)
    for study in asked_studies(material):
        part = trials.iloc[study.places]
        unknown[study.places] = False
        studies.append((_common(part, material) | study.shown(), part))
    if unknown.any():
        part = trials[unknown]
        studies.append((_common(part, material) | {"title": _NO_COMMAND}, part))
    studies.sort(key=lambda pair: (-len(pair[1]), pair[0]["title"]))
    return [shown for shown, _ in studies], _of_trials([part["place"].tolist() for _, part in studies], len(trials))


def _common(part: pd.DataFrame, material: Material) -> dict[str, Any]:
    moments = part["started_at"].dropna()
    ids = part["environment_id"].dropna().unique()
    return {
        "first": moment(moments.min()) if len(moments) else "",
        "last": moment(moments.max()) if len(moments) else "",
        "wall_s": float(part["wall_s"].sum()),
        "environments": [material.environments[item] for item in ids if item in material.environments],
        "n": len(part),
        "protocol": ", ".join(map(visible, sorted(part["protocol"].unique()))),
        "corruption": ", ".join(map(visible, sorted(part["corruption"].unique()))),
        **dict.fromkeys(("command", "file"), ""),
        "runs": [],
    }


def _of_trials(places: list[list[int]], n: int) -> dict[str, list[Any]]:
    """For each trial the studies that it is of, as a coded column."""
    of_trial: list[tuple[int, ...]] = [()] * n
    for study, own in enumerate(places):
        for position in own:
            of_trial[position] = (*of_trial[position], study)
    values = sorted(set(of_trial))
    codes = {value: index for index, value in enumerate(values)}
    return {"values": [list(value) for value in values], "codes": [codes[value] for value in of_trial]}


# Studies as they were asked for: one for each command that the database keeps, with its runs and their trials.

_LONGEST_TITLE = 80


@dataclass(frozen=True, eq=False)
class AskedStudy:
    """runs : of one command and study file, the first first. places : of its trials in `Material.trials`."""

    runs: tuple[Run, ...]
    places: NDArray[np.int64]

    def shown(self) -> dict[str, Any]:
        """Page data of a study beside its trials. command : as it was typed; by_python : there is none. first, last
        : when the first run began, and the last that did not go on ended."""
        run = self.runs[0]
        ends = [item.ended for item in self.runs if item.ended is not None]
        return {
            "title": visible(_title(run)),
            "command": visible(run.command),
            "by_python": run.command == BY_PYTHON.command,
            "file": visible_lines(run.study),
            "first": moment(run.began),
            "last": moment(max(ends)) if ends else "",
            "versions": sorted({visible(item.mvarena) for item in self.runs}),
            "runs": [
                {"began": moment(item.began), "seconds": item.seconds, "n": item.n_trials, "ended": item.how.value}
                for item in self.runs
            ],
        }


def asked_studies(material: Material) -> Iterator[AskedStudy]:
    """The studies that asked for some of the material's trials.

    Calls of `mvarena.run` are all kept as that: those that asked for the same trials are one study.
    """
    rows: dict[str, list[int]] = {}  # one for each name of a trial
    for index, key in enumerate(material.trials["key"].tolist()):
        rows.setdefault(key, []).append(index)
    places: dict[str, list[int]] = {}
    requested: dict[str, list[int]] = {}
    for number, (ids, keys) in enumerate(keys_of_runs(material.db)):
        known = [path for key in keys for path in rows.get(key, ())]
        for item in ids:
            requested.setdefault(item, []).append(number)
            places.setdefault(item, []).extend(known)
    groups: dict[tuple[Any, ...], list[Run]] = {}
    for run in runs_of(material.db):
        if places.get(run.id):
            alike = frozenset(requested[run.id]) if run.command == BY_PYTHON.command and not run.study else None
            groups.setdefault((run.command, run.study, alike), []).append(run)
    for runs in groups.values():
        values = [path for run in runs for path in places[run.id]]
        yield AskedStudy(tuple(runs), np.unique(values))


def moment(when: Any) -> str:
    """To the second, UTC."""
    return str(when.isoformat(timespec="seconds"))


def _title(run: Run) -> str:
    """The command without the words that all begin with, shortened; the study's own title, where it has one; of a call
    from Python, what it was of."""
    import tomllib

    try:
        text = tomllib.loads(run.study)
    except tomllib.TOMLDecodeError:
        text = {}
    title, words = text.get("title", ""), run.command.removeprefix("mvarena run ")
    if run.command == BY_PYTHON.command and not title and {"algo", "data"} <= set(text):
        words += f": {_listed(text['algo'])} on {_listed(text['data'])}"
    named = f"{title} ({words})" if title else words
    return named if len(named) <= _LONGEST_TITLE else f"{named[: _LONGEST_TITLE - 1]}…"


def _listed(names: Any) -> str:
    return ", ".join(map(str, names)) if isinstance(names, list) else str(names)


# Details of single trials: each restart, one labelling against the classes, the objective.

BLOCK = 500  # trials in one script, which a page loads when one of them is looked at
_MOST_BYTES = 4_000_000
_AT_A_TIME = 2_000
_MOST_CELLS = 2_500
_MOST_ITERATIONS = 60
_MOST_TEXT = 6_000


def run_scripts(material: Material) -> tuple[dict[int, str], int]:
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
            if used > _MOST_BYTES:
                return _scripts(blocks), count
            blocks.setdefault(index // BLOCK, {})[index] = run
            count += 1
    return _scripts(blocks), count


def _scripts(blocks: dict[int, dict[int, Any]]) -> dict[int, str]:
    return {block: script_of(f"runs-{block}", runs) for block, runs in sorted(blocks.items())}


def _runs(material: Material, places: np.ndarray[Any, Any]) -> list[tuple[int, dict[str, Any]]]:
    trials = material.trials.iloc[places]
    frame = material.reported.frame
    rows = frame[frame["trial_id"].isin(trials["trial_id"]) & (frame["status"] == "DONE") & frame["metric"].notna()]
    values: dict[int, dict[str, list[Any]]] = {}
    for trial, metric, value in zip(rows["trial_id"], rows["metric"], rows["value"], strict=True):
        values.setdefault(trial, {})[metric] = [_short(value)]
    tables = agreement_tables(material.db, trials["key"], _MOST_CELLS)
    courses = objectives(material.db, trials["key"])
    endings = material.endings.iloc[places]
    result = []
    for index, key, trial, ending in zip(
        places.tolist(), trials["key"], trials["trial_id"], endings.itertuples(index=False), strict=True
    ):
        run: dict[str, Any] = {}
        if key in tables:
            run["table"] = tables[key].tolist()
        if trial in values:
            run["values"] = values[trial]
        if key in courses:
            run["objective"] = _thinned(courses[key])
        for name in ("traceback", "stderr_tail"):
            if isinstance(text := getattr(ending, name), str) and text:
                run[name] = visible_lines(without_folders(text[-_MOST_TEXT:]))
        if run:
            result.append((index, run))
    return result


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
