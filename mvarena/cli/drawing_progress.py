"""How the writing of a report is followed: a bar in a terminal for what takes long, a sentence on what is left out."""

from __future__ import annotations

import time
from typing import Self

from rich.console import Console
from rich.progress import Progress

from mvarena.cli.say import say

_PATIENCE_S = 2.0  # what takes no longer shows no bar


class DrawingProgress:
    """Follows `mvarena.report.write.write_report`, on standard error; the bar is gone when all is written."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        self._bar = Progress(console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task("drawing figures")
        self._began = time.monotonic()
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        if self._shown:
            self._bar.stop()

    def figure(self, done: int, of: int) -> None:
        """So many figures are written, of so many."""
        if not self._shown and done < of and time.monotonic() - self._began > _PATIENCE_S:
            self._bar.start()
            self._shown = True
        self._bar.update(self._task, completed=done, total=of)


def say_left_out(kind: str, drawn: int, of: int) -> None:
    """That fewer figures of a kind are drawn than there are, and how to have the others."""
    say(
        f"Of the {of} figures '{kind}' {drawn} are drawn; '--figure {kind}' draws all, with '--data NAME' those of one "
        "data set.",
        err=True,
    )
