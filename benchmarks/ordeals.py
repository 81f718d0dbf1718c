"""Ordeals of `benchmarks.torture`: how they are declared, their line of the table, and what they compare."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1] / "tests"


@dataclass(frozen=True)
class Line:
    """One line of the table: how often something was done, what came of it, and whether that is as it must be."""

    what: str
    times: int
    found: str
    good: bool | None  # None: it could not be tried here


Ordeal = Callable[[Path, bool], Line]


ORDEALS: dict[str, Ordeal] = {}


def ordeal(function: Ordeal) -> Ordeal:
    ORDEALS[function.__name__.replace("_", "-")] = function
    return function


def line_of(what: str, wrong: Mapping[str, Sequence[str]], left: int = 0) -> Line:
    """The line of deeds. wrong : deed -> what is not as it must be. left : processes that are."""
    bad = {name: reasons for name, reasons in wrong.items() if reasons}
    for name, reasons in bad.items():
        print(f"  {name}: {'; '.join(reasons)}", file=sys.stderr, flush=True)
    named = f" ({', '.join(bad)})" if bad else ""
    told = f"{len(wrong) - len(bad)} end as they must, {left} processes left{named}"
    return Line(what, len(wrong), told, not bad and not left)


# Comparisons of what is stored.


def same_scores(one: Any, other: Any) -> bool:
    columns = ["key", "restart", "metric", "value", "status"]
    first, second = (each[columns].sort_values(columns[:3]).reset_index(drop=True) for each in (one, other))
    return bool(first.equals(second))


def same_stored(one: Path | str, other: Path | str) -> bool:
    from mvarena.store.database import open_database
    from mvarena.store.frames import scores_frame

    frames = []
    for path in (one, other):
        with open_database(path, create=False) as db:
            frames.append(scores_frame(db))
    return same_scores(*frames)


def attempts_in(path: Path | str) -> int:
    from sqlalchemy import func, select

    from mvarena.store.database import open_database
    from mvarena.store.schema import attempts

    with open_database(path, create=False) as db, db.read() as connection:
        return connection.scalar(select(func.count()).select_from(attempts)) or 0


def workers_left(seconds: float) -> int:
    """Workers, and forks of them, that this torture's conductors left, after some time to end."""
    deadline = time.monotonic() + seconds
    while (found := sum(map(_is_orphan, Path("/proc").glob("[0-9]*")))) and time.monotonic() < deadline:
        time.sleep(0.2)
    return found


def _is_orphan(process: Path) -> bool:
    try:
        ours = f"MVARENA_CACHE={os.environ['MVARENA_CACHE']}".encode() in (process / "environ").read_bytes()
        return ours and (process / "comm").read_text().startswith("mva")
    except OSError:
        return False


def yes_or_no(good: bool) -> str:
    return "yes" if good else "NO"
