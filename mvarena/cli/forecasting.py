"""Forecasts in words: before a run what it is expected to take, and afterwards how good that was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from mvarena.cli.durations import shown_duration, shown_memory

if TYPE_CHECKING:
    from mvarena.analysis.estimates import Forecast


def expected(found: Forecast, jobs: int) -> Iterator[str]:
    """Sentences on time and memory; on what nothing is known of, too."""
    if found.seconds:
        middle, least, most = found.total()
        longest = max(one.value for one in found.seconds.values())
        together = max(middle / jobs, longest)
        rough = "roughly " if found.is_rough else ""
        # how far it may be off is said only where it is known
        between = f" ({_between(least / jobs, most / jobs)})" if least == least else ""
        part = (
            f" for {len(found.seconds)} of {len(found.seconds) + sum(found.unknown.values())}" if found.unknown else ""
        )
        yield (f"Expected: {rough}{shown_duration(together)}{part} with {_jobs(jobs)}{between}, by {_basis(found)}.")
    if found.memory:
        yield f"Memory: up to about {shown_memory(found.peak_mb)} in each worker."
    if found.unknown:
        total = sum(found.unknown.values())
        names = ", ".join(f"{name} ({n})" for name, n in sorted(found.unknown.items()))
        yield f"Not estimated: {total}, of {names}: nothing of theirs is stored at such a size."


def verdict(found: Forecast, took: Mapping[str, float]) -> str:
    """How good the forecast was of the trials that ran to their end; '' where there are none of which it said anything.

    took : key -> seconds.
    """
    both = [key for key in took if key in found.seconds]
    if not both:
        return ""
    middle, least, most = found.total(both)
    real = sum(took[key] for key in both)
    inside = ""
    if least == least:
        inside = f", {'within' if least <= real <= most else 'outside of'} {_between(least, most)}"
    return (
        f"Expected {shown_duration(middle)} of computing; it took {shown_duration(real)}, "
        f"{real / middle:.2f} times as long{inside}."
    )


def _between(least: float, most: float) -> str:
    return f"{shown_duration(least)} to {shown_duration(most)}"


def _basis(found: Forecast) -> str:
    words = {
        "same data": "trials stored on the same data",
        "power law": "a power law in n over stored trials",
        "rough": "stored trials of too few sizes",
    }
    return ", ".join(words[one] for one in words if any(guess.basis == one for guess in found.seconds.values()))


def _jobs(count: int) -> str:
    return "1 worker" if count == 1 else f"{count} workers"
