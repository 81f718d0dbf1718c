"""Ordeals of code and databases of others: hostile algorithms and plugins, databases that somebody has spoilt."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.ordeals import Line, line_of, ordeal
from mvarena.system.forking import forked
from mvarena.system.processes import marked_processes


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


@ordeal
def hostile_plugins(folder: Path, short: bool) -> Line:
    from plugin_deeds import PLUGIN_DEEDS, PluginDeed, faults, run_plugin

    stored = folder / "stored.db"
    asked = ["--algo", "toy-quick", "concat", "--data", "toy-blobs", "--repeats", "1", "--restarts", "2"]
    subprocess.run(
        [sys.executable, "-m", "mvarena", "run", *asked, "--no-controls", "--db", str(stored)],
        check=True, capture_output=True,
    )  # fmt: skip
    for module in ("mvarena.cli.run", "mvarena.running", "rich.console", "sklearn.cluster"):  # once for all forks
        importlib.import_module(module)
    deeds = list(PLUGIN_DEEDS.values())[:: 10 if short else 1]

    def wrong_with(number: int, deed: PluginDeed) -> list[str]:
        place = folder / str(number)
        place.mkdir()
        shutil.copy(stored, place)
        return list(faults(deed, run_plugin(deed, place)))

    with ThreadPoolExecutor(2) as pool:
        wrong = dict(zip((one.name for one in deeds), pool.map(wrong_with, range(len(deeds)), deeds), strict=True))
    left = len(marked_processes("mva", f"MVARENA_CACHE={os.environ['MVARENA_CACHE']}"))
    return line_of("plugins that are hostile wherever their code runs", wrong, left)


@ordeal
def poisoned_databases(folder: Path, short: bool) -> Line:
    from poisons import POISONS, write_good, wrong_with

    good = write_good(folder / "good.db")
    wrong = {}
    for number, name in enumerate(list(POISONS)[:: 10 if short else 1]):
        (place := folder / str(number)).mkdir()

        def answer(name: str = name, place: Path = place) -> bytes:
            os.chdir(place)
            return json.dumps(list(wrong_with(name, good))).encode()

        ended = forked(answer, seconds=120.0)
        wrong[name] = [ended.fault] if ended.answer is None else json.loads(ended.answer)
    return line_of("databases that somebody has spoilt, read by nine commands each", wrong)


def _ends_so(deed: Any, outcome: Any) -> bool:
    return outcome.status == deed.status and deed.says in outcome.reason
