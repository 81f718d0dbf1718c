"""Studies as they were asked for: one for each command that the database keeps, with its runs and their trials."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.site.material import Material
from mvarena.store.runs import Run, keys_of_runs, runs_of
from mvarena.study.request import BY_PYTHON
from mvarena.text import visible, visible_lines

_LONGEST_TITLE = 80


@dataclass(frozen=True, eq=False)
class AskedStudy:
    """runs : of one command and study file, the first first. places : of its trials in `Material.trials`."""

    runs: tuple[Run, ...]
    places: NDArray[np.int64]

    @property
    def by_python(self) -> bool:
        """Whether `mvarena.run` asked for it, whose arguments are kept as a study file, if they are words."""
        return self.runs[0].command == BY_PYTHON.command

    def shown(self) -> dict[str, Any]:
        """What the pages say of it beside its trials. command : as it was typed; by_python : there is none.
        first, last : when the first run began, and the last that did not go on ended."""
        run = self.runs[0]
        ends = [one.ended for one in self.runs if one.ended is not None]
        return {
            "title": visible(_title(run)),
            "command": visible(run.command),
            "by_python": self.by_python,
            "file": visible_lines(run.study),
            "first": moment(run.began),
            "last": moment(max(ends)) if ends else "",
            "versions": sorted({visible(one.mvarena) for one in self.runs}),
            "runs": [
                {"began": moment(one.began), "seconds": one.seconds, "n": one.n_trials, "ended": one.how.value}
                for one in self.runs
            ],
        }


def asked_studies(material: Material) -> Iterator[AskedStudy]:
    """The studies that asked for some of the material's trials.

    Calls of `mvarena.run` are all kept as that: those that asked for the same trials are one study.
    """
    rows: dict[str, list[int]] = {}  # one for each name of a trial
    for place, key in enumerate(material.trials["key"].tolist()):
        rows.setdefault(key, []).append(place)
    places: dict[str, list[int]] = {}
    asked: dict[str, list[int]] = {}
    for number, (ids, keys) in enumerate(keys_of_runs(material.db)):
        known = [place for key in keys for place in rows.get(key, ())]
        for one in ids:
            asked.setdefault(one, []).append(number)
            places.setdefault(one, []).extend(known)
    groups: dict[tuple[Any, ...], list[Run]] = {}
    for run in runs_of(material.db):
        if places.get(run.id):
            alike = frozenset(asked[run.id]) if run.command == BY_PYTHON.command and not run.study else None
            groups.setdefault((run.command, run.study, alike), []).append(run)
    for runs in groups.values():
        found = [place for run in runs for place in places[run.id]]
        yield AskedStudy(tuple(runs), np.unique(found))


def moment(when: Any) -> str:
    """To the second, UTC."""
    return str(when.isoformat(timespec="seconds"))


def _title(run: Run) -> str:
    """The command without the words that all begin with, shortened; the study's own title, where it has one; of a call
    from Python, what it was of."""
    import tomllib

    try:
        said = tomllib.loads(run.study)
    except tomllib.TOMLDecodeError:
        said = {}
    title, words = said.get("title", ""), run.command.removeprefix("mvarena run ")
    if run.command == BY_PYTHON.command and not title and {"algo", "data"} <= set(said):
        words += f": {_listed(said['algo'])} on {_listed(said['data'])}"
    named = f"{title} ({words})" if title else words
    return named if len(named) <= _LONGEST_TITLE else f"{named[: _LONGEST_TITLE - 1]}…"


def _listed(names: Any) -> str:
    return ", ".join(map(str, names)) if isinstance(names, list) else str(names)
