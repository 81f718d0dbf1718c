"""Details of single trials: one labelling against the classes, the objective, and what went wrong."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from mvarena.site.data import Material
from mvarena.site.scripts import script_of
from mvarena.site.trials import SHOWN_KEY
from mvarena.store.frames import agreement_tables, objectives
from mvarena.text import visible_lines, without_folders

_PER_BLOCK = 500  # trials in one script, which a page loads when one of them is looked at
_MOST_BYTES = 3_000_000
_AT_A_TIME = 2_000
_MOST_CELLS = 2_500
_MOST_ITERATIONS = 60
_MOST_TEXT = 6_000


def detail_scripts(material: Material) -> tuple[int, dict[str, str]]:
    """Number of digits of a trial's key that name its block, and the script of each block.

    Details are kept of what did not finish, with its traceback, and of the first repeats, as long as there is room.
    """
    trials = material.trials.drop_duplicates("key")
    digits = 0 if len(trials) <= _PER_BLOCK else 1 if len(trials) <= 16 * _PER_BLOCK else 2
    unfinished = (trials["status"] != "DONE").to_numpy()
    order = np.lexsort((np.arange(len(trials)), trials["repeat"].to_numpy(), ~unfinished))
    blocks: dict[str, dict[str, Any]] = {}
    used = 0
    for start in range(0, len(order), _AT_A_TIME):
        for key, detail in _details(material, trials.index[order[start : start + _AT_A_TIME]].tolist()):
            used += 40 + 4 * len(str(detail)) // 5
            if used > _MOST_BYTES:
                return digits, _scripts(blocks)
            blocks.setdefault(key[:digits], {})[key[:SHOWN_KEY]] = detail
    return digits, _scripts(blocks)


def _scripts(blocks: dict[str, dict[str, Any]]) -> dict[str, str]:
    names = {block: f"details-{block}" for block in sorted(blocks)}
    return {name: script_of(name, blocks[block]) for block, name in names.items()}


def _details(material: Material, rows: list[int]) -> list[tuple[str, dict[str, Any]]]:
    """Key and details of the trials in these rows of `Material.trials` of which any are stored."""
    keys = material.trials.loc[rows, "key"].tolist()
    tables = agreement_tables(material.db, keys, _MOST_CELLS)
    courses = objectives(material.db, keys)
    result = []
    for key, ending in zip(keys, material.endings.loc[rows].itertuples(index=False), strict=True):
        detail: dict[str, Any] = {}
        if key in tables:
            detail["table"] = tables[key].tolist()
        if key in courses:
            detail["objective"] = _thinned(courses[key])
        for name in ("traceback", "stderr_tail"):
            if isinstance(text := getattr(ending, name), str) and text:
                detail[name] = visible_lines(without_folders(text[-_MOST_TEXT:]))
        if detail:
            result.append((key, detail))
    return result


def _thinned(course: tuple[float, ...]) -> list[list[float]]:
    """At most 60 iterations and their objectives, the first and the last among them."""
    return [[index + 1, float(f"{course[index]:.6g}")] for index in _kept(len(course))]


@lru_cache(maxsize=1_000)  # many trials go on for equally many iterations
def _kept(length: int) -> tuple[int, ...]:
    indices = np.unique(np.linspace(0, length - 1, min(length, _MOST_ITERATIONS)).round().astype(int))
    return tuple(indices.tolist())
