"""Progress of a run from Python: a bar in a notebook, or in a terminal where one is asked for."""

from __future__ import annotations

import sys
import time
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any, Self

from mvarena.text import visible

if TYPE_CHECKING:
    from mvarena.engine.conductor import Advance
    from mvarena.running import Preview

_LEAST_S = 0.2  # between two drawings of the bar


def in_notebook() -> bool:
    """True in a process that a notebook runs; IPython in a terminal is none."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


class ProgressBar:
    """Shows how many trials of a run have ended, and which failed; to be entered.

    shown : whether it is; None: in notebooks. In a terminal it stands on standard error and goes when the run ends.
    """

    def __init__(self, shown: bool | None) -> None:
        self._notebook = in_notebook()
        self._shown = self._notebook if shown is None else shown
        self._done = self._total = self._n_failed = 0
        self._counted, self._what, self._drawn = "trials", "", float("-inf")
        self._bar: Any = None  # rich's, or IPython's handle of what it displays

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        if self._bar is not None and self._notebook:
            self._draw(0.0)
        elif self._bar is not None:
            self._bar.stop()

    def planned(self, ahead: Preview) -> None:
        """So many trials are planned, and so many of them stored already."""
        self._total, self._done = len(ahead.plan.trials), len(ahead.pending.kept)
        if not self._shown:
            return
        if self._notebook:
            shell = import_module("IPython.display")
            self._bar = shell.display(shell.HTML(self._html()), display_id=True)
        else:
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(stderr=True), transient=True)
            self._bar.add_task("trials", total=self._total, completed=self._done)
            self._bar.start()

    def advanced(self, advance: Advance) -> None:
        """A trial has ended, or time has passed."""
        self._done, self._total = advance.done, advance.total
        if advance.trial is not None and advance.outcome is not None:
            self._what = visible(f"{advance.trial.algorithm} on {advance.trial.dataset}")
            self._n_failed += advance.outcome.status not in ("DONE", "SKIPPED")
        self._draw(_LEAST_S)

    def scoring(self, done: int, of: int) -> None:
        """All trials have ended, and so many of the scores that follow are computed."""
        self._done, self._total, self._counted, self._what = done, of, "scores", ""
        self._draw(_LEAST_S)

    def _draw(self, least_s: float) -> None:
        now = time.monotonic()
        if self._bar is None or now - self._drawn < least_s:
            return
        self._drawn = now
        if self._notebook:
            self._bar.update(import_module("IPython.display").HTML(self._html()))
        else:
            task = self._bar.task_ids[0]
            self._bar.update(task, description=self._counted, completed=self._done, total=self._total)

    def _html(self) -> str:
        failed = f", {self._n_failed} failed" if self._n_failed else ""
        told = f"{self._done} of {self._total} {self._counted}{failed} {self._what}".rstrip()
        return f'<progress value="{self._done}" max="{max(1, self._total)}"></progress> {escape(told)}'
