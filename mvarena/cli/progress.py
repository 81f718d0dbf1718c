"""The progress bar of a run: trials done, time left, and each failure as it happens. On standard error."""

from __future__ import annotations

from typing import Self

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from mvarena.contracts.outcome import Status
from mvarena.engine.conductor import Advance
from mvarena.study.plan import Plan
from mvarena.visible import visible, visible_lines


class ProgressBar:
    """Shows planning, then trials. Without a terminal only the notes and the failures are printed."""

    def __init__(self) -> None:
        self._console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=self._console,
            disable=not self._console.is_terminal,
        )
        self._said: set[tuple[str, str, str]] = set()
        self._task = self._bar.add_task("loading data", total=None)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._bar.stop()

    def planned(self, plan: Plan) -> None:
        """The trials are known: say what was decided, and count from here."""
        for note in plan.notes:
            self._console.print(visible_lines(note), style="dim", highlight=False, markup=False, soft_wrap=True)
        self._bar.update(self._task, total=len(plan.trials), description="trials")

    def advanced(self, advance: Advance) -> None:
        """A trial has ended."""
        self._bar.update(self._task, completed=advance.done)
        if advance.trial is None or advance.outcome is None:
            return
        trial, outcome = advance.trial, advance.outcome
        rate = f" {trial.corruption} {trial.rate:g}" if trial.corruptions else ""
        self._bar.update(self._task, description=escape(visible(f"{trial.algorithm} on {trial.dataset}{rate}")))
        said = (trial.algorithm, trial.dataset, outcome.reason)
        if outcome.status is not Status.DONE and said not in self._said:
            self._said.add(said)
            line = f"{outcome.status}: {trial.algorithm} on {trial.dataset}{rate}: {outcome.reason}"
            self._console.print(visible_lines(line), highlight=False, markup=False, soft_wrap=True)
