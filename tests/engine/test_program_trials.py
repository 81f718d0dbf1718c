"""Programs as trials: ended by the limits, measured, and run side by side."""

from __future__ import annotations

import os
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from hostile_run import survivors
from study_runs import run_study

from mvarena.contracts.outcome import Outcome, Status
from mvarena.registry.user_code import local_spec
from mvarena.store.database import open_database
from mvarena.store.read_outcomes import outcome_of
from mvarena.study.model import Contestant, Study

LABELS = """
import csv, time, os
with open(os.path.join(given, "settings.csv"), newline="") as file:
    settings = dict(csv.reader(file))
n = sum(1 for line in open(os.path.join(given, "mask.csv")))
def answer():
    with open(output, "w") as file:
        file.writelines(f"{i % 3}\\n" for i in range(n))
"""
CHILD = """
import subprocess
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)"], start_new_session=True)
with open(NOTES + ".part", "w") as file:
    file.write(f"{child.pid}\\n{os.getpid()}\\n")
os.replace(NOTES + ".part", NOTES)  # whole, or not there yet when the program is ended
"""


class Trials:
    """Runs a script as the program of a study on made data, into one database."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.db, self.notes = folder, folder / "results.db", folder / "notes"

    def run(self, script: str, *, repeats: int = 1, **options: Any) -> list[Outcome]:
        begin = f"import sys\ngiven, output = sys.argv[1:]\nNOTES = r'{self.notes}'\n"
        (self.folder / "method.py").write_text(begin + LABELS + textwrap.dedent(script))
        path = self.folder / "algorithm.toml"
        path.write_text(f'name = "mine"\npython = "{sys.executable}"\nscript = "method.py"\nformat = "csv"\n')
        study = Study(
            algorithms=(Contestant(local_spec(str(path))),), datasets=("toy-blobs",), rates=(0.3,), repeats=repeats,
            restarts=1, controls=False,
        )  # fmt: skip
        result = run_study(study, db=self.db, **options)
        with open_database(self.db) as db:
            found = [outcome_of(db, trial.key) for trial in result.plan.trials]
        return [item for item in found if item is not None]


@pytest.fixture
def trials(tmp_path: Path) -> Trials:
    return Trials(tmp_path)


@pytest.mark.slow
def test_a_program_that_takes_too_long_is_ended_with_all_it_started(trials: Trials):
    for timeout_s in (4.0, 20.0, 100.0):  # on a busy machine a program may take as long to start
        (outcome,) = trials.run(CHILD + "time.sleep(120)\n", timeout_s=timeout_s)
        if trials.notes.exists():
            break
    assert outcome.status is Status.TIMEOUT
    assert len(trials.notes.read_text().split()) == 2
    assert survivors(trials.notes) == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the memory of a trial's processes is measured on Linux only")
def test_the_memory_of_a_program_and_of_what_it_starts_counts(trials: Trials):
    hold = "import time; block = b'x' * (400 * 2**20); time.sleep(60)"
    script = f"""
        import subprocess
        held = [subprocess.Popen([sys.executable, "-c", "{hold}"]) for _ in range(2)]
        time.sleep(60)
    """
    (outcome,) = trials.run(textwrap.dedent(script), memory=768 * 2**20, timeout_s=50.0)
    assert outcome.status is Status.OUT_OF_MEMORY
    (outcome,) = trials.run("block = b'x' * 2**36\n", memory=768 * 2**20, timeout_s=50.0)
    assert outcome.status is Status.OUT_OF_MEMORY
    assert "MemoryError" in outcome.stderr_tail


@pytest.mark.slow
def test_cpu_time_and_memory_of_a_program_are_its_trials(trials: Trials):
    (outcome,) = trials.run("block = b'x' * 2**30\nwhile time.process_time() < 1.0: pass\nanswer()\n")
    assert outcome.status is Status.DONE
    assert outcome.cpu_s > 1.0
    assert outcome.peak_rss_mb > 1024


@pytest.mark.slow
def test_three_programs_side_by_side_do_not_meet(trials: Trials):
    script = """
        with open("scratch.txt", "x") as file:
            file.write(settings["seed"])
        import tempfile
        with open(os.path.join(tempfile.gettempdir(), "fixed-name"), "x") as file:
            file.write(settings["seed"])
        time.sleep(1.0)
        assert open("scratch.txt").read() == settings["seed"]
        answer()
        with open(NOTES, "a") as file:
            file.write(settings["seed"] + "\\n")
    """
    before = set(os.listdir())
    outcomes = trials.run(textwrap.dedent(script), repeats=3, jobs=3)
    assert [outcome.status for outcome in outcomes] == [Status.DONE] * 3, outcomes[0].reason
    assert len(set(trials.notes.read_text().split())) == 3, "each has a seed of its own"
    assert set(os.listdir()) == before
