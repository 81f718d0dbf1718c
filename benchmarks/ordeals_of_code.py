"""Hostile algorithms between healthy ones."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from benchmarks.ordeals import Line, ordeal


@ordeal
def hostile_algorithms(folder: Path, short: bool) -> Line:
    from hostile_run import run_deeds_at_once, same_result, survivors
    from mvarena_toys.hostile import DEEDS

    notes = folder / "notes"
    os.environ["MVARENA_TOYS_NOTES"] = str(notes)
    deeds = [one for one in DEEDS.values() if not (short and one.long)]
    found = run_deeds_at_once(deeds, folder)
    wrong = [one.name for one in deeds if not _ends_so(one, found[one.name].deed)]
    harmed = [one.name for one in deeds if not same_result(found[one.name].witness, found[one.name].in_peace)]
    left, ran = survivors(notes), Path(f"{notes}.pwned").exists()
    told = f"{len(deeds) - len(wrong)} end as they must, {len(harmed)} harm the next, {len(left)} processes left"
    named = f" ({', '.join([*wrong, *harmed])})" if wrong or harmed else ""
    return Line(
        "hostile algorithms between healthy ones", len(deeds), told + named, not (wrong or harmed or left or ran)
    )


def _ends_so(deed: Any, outcome: Any) -> bool:
    return outcome.status == deed.status and deed.says in outcome.reason
