"""Progress of a run or a report, and forecasts in words: a bar in a terminal, lines in a log. On standard error."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn

from mvarena.cli.output import say, shown_duration, shown_memory
from mvarena.contracts.outcome import Outcome, Status
from mvarena.contracts.trial import Trial
from mvarena.engine.conductor import Advance
from mvarena.errors import MvarenaError
from mvarena.study.grid import Counted, count_in_words
from mvarena.text import plural, visible, visible_lines

if TYPE_CHECKING:
    from mvarena.analysis.estimates import Forecast
    from mvarena.running import Preview


QUIET, USUAL, VERBOSE = -1, 0, 1
_EVERY_S = 60.0  # between two lines of a log
_DRAWN_EVERY_S = 0.1


class RunProgress:
    """Tells what was planned, how far the run is, and what did not end well.

    verbosity : QUIET tells nothing but failures, VERBOSE each trial. Trials are counted as users count them
    (`mvarena.study.grid`). took : key -> seconds of each that ran to its end. ran : key -> what became of each
    that ran. kept : key -> what became of each that was stored already.
    """

    def __init__(self, verbosity: int = USUAL) -> None:
        self.took: dict[str, float] = {}
        self.ran: dict[str, Status] = {}
        self.kept: Mapping[str, Status] = {}
        self._verbosity = verbosity
        self._console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[said]}"),
            console=self._console,
            disable=verbosity == QUIET or not self._console.is_terminal,
            auto_refresh=False,  # by a thread, beside which workers are not forked
        )
        self._failures: set[tuple[str, str, str]] = set()
        self._n_failed = 0
        self._counted = Counted(())
        self._began = self._told = time.monotonic()
        self._drawn = float("-inf")
        self._before = 0  # how many were stored already
        self._task = self._bar.add_task("loading data", total=None, said="")

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._bar.stop()

    def planned(self, ahead: Preview) -> None:
        """The trials are known: say what was decided and what is expected, and count from here."""
        plan = ahead.plan
        self._counted, self.kept = Counted(plan.trials), ahead.pending.kept
        if self.kept:
            before = Counted(plan.trials)
            before.end(self.kept)
            self._before = before.ended
        self._began = self._told = time.monotonic()
        if self._verbosity > QUIET:
            for note in plan.notes:
                self._print(note, style="dim")
            if ahead.pending.trials:
                self._print(to_run(ahead))
                for sentence in expected(ahead.forecast, ahead.jobs) if ahead.forecast.seconds else ():
                    self._print(sentence, style="dim")
        self._bar.update(self._task, total=self._counted.total, description="trials", refresh=True)

    def advanced(self, advance: Advance) -> None:
        """A trial has ended, or time has passed."""
        self._counted.end(advance.ended)
        if advance.trial is not None and advance.outcome is not None:
            self._ended(advance.trial, advance.outcome)
        self._bar.update(self._task, completed=self._counted.ended, said=self._said())
        now = time.monotonic()
        if now - self._drawn >= _DRAWN_EVERY_S:
            self._drawn = now
            self._bar.refresh()
        if now - self._told >= _EVERY_S and self._bar.disable and self._verbosity > QUIET:
            self._told = now
            self._print(f"{time.strftime('%H:%M')}  {self._said()}")

    def scoring(self, done: int, of: int) -> None:
        """All trials have ended, and so many of the scores that follow are computed."""
        self._bar.update(self._task, description="scoring", completed=done, total=of, said=f"{done} of {of} scores")
        now = time.monotonic()
        if now - self._told >= _EVERY_S and self._bar.disable and self._verbosity > QUIET:
            self._told = now
            self._print(f"{time.strftime('%H:%M')}  scoring: {done} of {of} scores")

    def trouble(self, sentence: str) -> None:
        """The database's server is away, and is waited for."""
        self._print(f"{time.strftime('%H:%M')}  {sentence}")

    def _ended(self, trial: Trial, outcome: Outcome) -> None:
        what = f"{trial.algorithm} on {trial.dataset}"
        if trial.corruptions:
            what += f" {trial.corruption} {trial.rate:g}"
        self._bar.update(self._task, description=escape(visible(what)))
        self.ran[trial.key] = outcome.status
        if outcome.status is Status.DONE:
            self.took[trial.key] = outcome.wall_s
        else:
            self._n_failed += outcome.status is not Status.SKIPPED
        reason = "" if outcome.status is Status.DONE else f": {outcome.reason}"
        if self._verbosity >= VERBOSE:
            cost = f"{shown_duration(outcome.wall_s)}, {shown_memory(outcome.peak_rss_mb)}"
            self._print(f"{outcome.status}: {what}, repeat {trial.repeat + 1} ({cost}){reason}")
        elif reason and (text := (trial.algorithm, trial.dataset, outcome.reason)) not in self._failures:
            self._failures.add(text)
            self._print(f"{outcome.status}: {what}{reason}")

    def _said(self) -> str:
        """'40 of 120 trials (3 failed), 12 min elapsed, about 20 min left'."""
        elapsed = time.monotonic() - self._began
        text = f"{self._counted.ended} of {self._counted.total} trials"
        if self._n_failed:
            text += f" ({self._n_failed} failed)"
        text += f", {shown_duration(elapsed)} elapsed"
        now_ended = self._counted.ended - self._before
        left = self._counted.total - self._counted.ended
        return f"{text}, about {shown_duration(elapsed / now_ended * left)} left" if now_ended and left else text

    def _print(self, line: str, style: str | None = None) -> None:
        self._console.print(visible_lines(line), style=style, highlight=False, markup=False, soft_wrap=True)


def to_run(ahead: Preview) -> str:
    """'To run: 40 trials; 80 are stored already.'"""
    kept = len(ahead.pending.kept)
    stored = f"; {kept} {'is' if kept == 1 else 'are'} stored already" if kept else ""
    return f"To run: {count_in_words(ahead.pending.trials)}{stored}."


# Forecasts in words: before a run what it is expected to take, and afterwards how good that was.


def expected(found: Forecast, jobs: int) -> Iterator[str]:
    """Sentences on time and memory; on what nothing is known of, too, but for the controls, which take no time."""
    from mvarena.registry.catalog import installed_catalog
    from mvarena.study.families import controls

    apart = {spec.name for spec in controls(installed_catalog())}
    unknown = {name: count for name, count in sorted(found.unknown.items()) if name not in apart}
    if found.seconds:
        middle, least, most = found.total()
        longest = max(second.value for second in found.seconds.values())
        together = max(middle / jobs, longest)
        rough = "roughly " if found.is_rough else ""
        # how far it may be off is said only where it is known
        between = f" ({_between(least / jobs, most / jobs)})" if least == least else ""
        part = f" for {len(found.seconds)} of {len(found.seconds) + sum(unknown.values())}" if unknown else ""
        workers = plural(jobs, "worker")
        more = f"; up to {shown_duration(found.scoring_s)} more for scores by outcomes" if found.scoring_s else ""
        yield f"Expected: {rough}{shown_duration(together)}{part} with {workers}{between}, by {_basis(found)}{more}."
    if found.memory:
        yield f"Memory: up to about {shown_memory(found.peak_mb)} in each worker."
    if unknown:
        total = sum(unknown.values())
        names = ", ".join(f"{name} ({n})" for name, n in unknown.items())
        yield (f"Not estimated: {total}, of {names}: no trial of this size is stored.")


def verdict(found: Forecast, took: Mapping[str, float]) -> str:
    """Comparison of the estimate with the trials that finished; '' where none was made from stored trials.

    took : key -> seconds.
    """
    both = [key for key in took if key in found.seconds and found.seconds[key].basis != "measured"]
    if not both:
        return ""
    middle, least, most = found.total(both)
    real = sum(took[key] for key in both)
    inside = ""
    if least == least:
        inside = f", {'within' if least <= real <= most else 'outside of'} {_between(least, most)}"
    return (
        f"Expected {shown_duration(middle)} of computing time; it took {shown_duration(real)}, "
        f"{real / middle:.2f} times as long{inside}."
    )


def _between(least: float, most: float) -> str:
    return f"{shown_duration(least)} to {shown_duration(most)}"


def _basis(found: Forecast) -> str:
    words = {
        "same data": "trials stored on the same data",
        "power law": "a power law in n fitted to stored trials",
        "rough": "stored trials, of too few sizes for a fit",
        "measured": "measurements of these methods on digits",
    }
    return ", ".join(words[word] for word in words if any(guess.basis == word for guess in found.seconds.values()))


# How the writing of a report is followed: a bar in a terminal for what takes long, a sentence on what is left out.

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
    """Say that fewer figures of a kind are drawn than exist, and how to have the others."""
    say(
        f"Of the {of} figures '{kind}' {drawn} are drawn; '--figure {kind}' draws all, with '--data NAME' those of one "
        "data set.",
        err=True,
    )


def say_nothing(error: MvarenaError) -> None:
    """Say why a kind of table or figure that was asked for is not among what is written."""
    say(f"Skipped: {error}", err=True)
