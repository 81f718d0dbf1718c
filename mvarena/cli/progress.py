"""Progress of a run: a bar in a terminal, lines in a log. On standard error."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, TextColumn

from mvarena.cli.output import say, shown_duration, shown_memory, wrapped
from mvarena.cli.preview import preview_lines
from mvarena.contracts.outcome import Outcome, Status
from mvarena.contracts.trial import Trial
from mvarena.text import shortened, visible, visible_lines

if TYPE_CHECKING:
    from mvarena.engine.conductor import Advance
    from mvarena.running import Preview


QUIET, USUAL, VERBOSE = -1, 0, 1
_EVERY_S = 60.0  # between two lines of a log
_DRAWN_EVERY_S = 0.1
_LOG_WIDTH = 200
_LEAST_S = 0.05  # of a trial: what its process costs


class RunProgress:
    """Tells what was planned, how far the run is, and what did not end well.

    verbosity : QUIET tells nothing but failures, VERBOSE each trial.
    ran : key -> what became of each that ran. kept : key -> what became of each that was stored already.
    """

    def __init__(self, verbosity: int = USUAL) -> None:
        self.ran: dict[str, Status] = {}
        self.kept: Mapping[str, Status] = {}
        self._verbosity = verbosity
        self._console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}"),
            console=self._console,
            disable=verbosity == QUIET or not self._console.is_terminal,
            auto_refresh=False,  # by a thread, beside which workers are not forked
        )
        self._failures: set[tuple[str, str, str]] = set()
        self._n_failed = 0
        self._n_ended = self._total = 0
        self._left = TimeLeft({}, 1)
        self._waiting: dict[str, Trial] = {}
        self._began = self._told = time.monotonic()
        self._drawn = float("-inf")
        self._task = self._bar.add_task("loading data", total=None)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._bar.stop()

    def planned(self, ahead: Preview, where: str = "") -> None:
        """The trials are known: say what they are and what is expected, and count from here.

        where : the database, if it is to be named.
        """
        self._total, self.kept = len(ahead.plan.trials), ahead.pending.kept
        self._waiting = {trial.key: trial for trial in ahead.pending.trials}
        seconds = {key: guess.value for key, guess in ahead.forecast.seconds.items()}
        self._left = TimeLeft({key: seconds.get(key) for key in self._waiting}, ahead.jobs)
        self._began = self._told = time.monotonic()
        if self._verbosity > QUIET:
            for line in preview_lines(ahead, where, verbose=self._verbosity >= VERBOSE):
                say(line, err=True)
        self._bar.update(self._task, total=self._total, refresh=True)

    def advanced(self, advance: Advance) -> None:
        """A trial has ended, or time has passed."""
        self._n_ended += len(advance.ended)
        for key in advance.ended:
            self._waiting.pop(key, None)
            self._left.end(key)
        if advance.trial is not None and advance.outcome is not None:
            self._ended(advance.trial, advance.outcome)
        self._tell(self._line)

    def scoring(self, done: int, of: int) -> None:
        """All trials have ended, and so many of the scores that follow are computed."""
        self._tell(lambda _: f"[{done}/{of}] scores")

    def _tell(self, line: Callable[[int], str]) -> None:
        """Draw the line at most ten times a second; in a log, print it once a minute."""
        now = time.monotonic()
        if now - self._drawn >= _DRAWN_EVERY_S:
            self._drawn = now
            self._bar.update(self._task, description=escape(line(self._console.width)), refresh=True)
        if now - self._told >= _EVERY_S and self._bar.disable and self._verbosity > QUIET:
            self._told = now
            self._print(f"{time.strftime('%H:%M')}  {line(_LOG_WIDTH)}")

    def _ended(self, trial: Trial, outcome: Outcome) -> None:
        text = f"{trial.algorithm} on {trial.dataset}"
        if trial.corruptions:
            text += f" {trial.corruption} {trial.rate:g}"
        self.ran[trial.key] = outcome.status
        self._n_failed += outcome.status not in (Status.DONE, Status.SKIPPED)
        reason = "" if outcome.status is Status.DONE else f": {outcome.reason}"
        if self._verbosity >= VERBOSE:
            cost = f"{shown_duration(outcome.wall_s)}, {shown_memory(outcome.peak_rss_mb)}"
            self._print(f"{outcome.status}: {text}, repeat {trial.repeat + 1} ({cost}){reason}")
        elif reason and (failure := (trial.algorithm, trial.dataset, outcome.reason)) not in self._failures:
            self._failures.add(failure)
            self._print(f"{outcome.status}: {text}{reason}")

    def _line(self, width: int) -> str:
        """'[3/36] img, digits[fou,fac] 0.3, 8 min left' in at most `width` characters: the name is what is cut."""
        head = f"[{self._n_ended}/{self._total}] "
        seconds = self._left.seconds(time.monotonic() - self._began)
        tail = f", {shown_duration(seconds)} left" if seconds else ""
        tail += f" ({self._n_failed} failed)" if self._n_failed else ""
        running = next(iter(self._waiting.values()), None)  # trials run in this order
        name = "" if running is None else _named(running)
        return head + shortened(visible(name), max(width - len(head) - len(tail), 1)) + tail

    def _print(self, line: str) -> None:
        if self._bar.disable:
            say(line, err=True)
        else:
            self._bar.console.print(wrapped(visible_lines(line), self._console.width), highlight=False, markup=False)


def _named(trial: Trial) -> str:
    """'img, digits[fou,fac] 0.3'."""
    rate = f" {trial.rate:g}" if trial.corruptions else ""
    return f"{trial.algorithm}, {trial.dataset}{rate}"


class TimeLeft:
    """Estimate of the time that is left, scaled by what the ended trials took.

    expected : key of each trial to run -> seconds, None where nothing is known: such a trial counts as the mean of the
    others. jobs : how many run at once.
    """

    def __init__(self, expected: Mapping[str, float | None], jobs: int) -> None:
        known = [seconds for seconds in expected.values() if seconds is not None]
        mean = sum(known) / len(known) if known else 1.0
        self._weights = {key: max(seconds or mean, _LEAST_S) for key, seconds in expected.items()}
        self._waiting, self._ended = sum(self._weights.values()), 0.0
        self._forecast = self._waiting / jobs if known else None

    def end(self, key: str) -> None:
        """A trial has ended; one that is none of those to run changes nothing."""
        weight = self._weights.pop(key, 0.0)
        self._waiting, self._ended = self._waiting - weight, self._ended + weight

    def seconds(self, elapsed: float) -> float | None:
        """Seconds left after `elapsed` seconds; None where nothing is known, or nothing left."""
        if not self._weights:
            return None
        if self._ended:
            return elapsed * self._waiting / self._ended
        return None if self._forecast is None else max(self._forecast - elapsed, 0.0)
