"""The options that say which stored trials are meant, the same for every command that reads a results database."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.options import Function, split_names

if TYPE_CHECKING:
    from mvarena.store.filters import Filter

# field of `Filter` -> its flag, what follows it, the help
_FILTERS = {
    "algorithms": ("--algo", "NAME...", "Only these algorithms; * and ? stand for any text and any sign."),
    "families": ("--family", "NAME...", "Only algorithms of these families, as graph or kernel."),
    "datasets": ("--data", "NAME...", 'Only these data sets, as "webkb-*".'),
    "params": ("--param", "NAME.PARAMETER=VALUE...", "Only trials with these parameters, as mic.beta=0.1."),
    "stored_rates": ("--rate", "RATE...", "Only at these rates, as 0.3, or 0.1:0.5 for all from .1 to .5."),
    "corruptions": ("--corrupt", "NAME...", "Only under these corruptions."),
    "scalings": ("--scale", "NAME...", "Only with these scalings: auto, none, or transforms as tfidf,unit-rows."),
    "protocols": ("--protocol", "NAME...", "Only of these protocols."),
    "statuses": ("--status", "NAME...", "Only what ended so: done, failed, timeout, out-of-memory, ..."),
}
_MOMENTS = {"since": "began at this time or later", "until": "began at this time or before"}
_COMMAS = ("algorithms", "families", "protocols", "statuses")  # of which no name holds a comma
FILTER_FLAGS = {field: flag for field, (flag, _, _) in _FILTERS.items()} | {field: f"--{field}" for field in _MOMENTS}
SEVERAL_FILTERS = tuple(flag for flag, _, _ in _FILTERS.values())


def filter_options(command: Function) -> Function:
    """Add the options; a command takes them as `**options` and makes the filter of them by `filter_from`."""
    for field, words in reversed(_MOMENTS.items()):
        text = f"Only what {words}: 2025-03-01, '2025-03-01 14:30', or how long ago, as 2d."
        command = _option(f"--{field}", field, metavar="TIME", help=text)(command)
    for field, (flag, metavar, text) in reversed(_FILTERS.items()):
        command = _option(flag, field, metavar=metavar, help=text, multiple=True)(command)
    return command


def filter_from(options: dict[str, Any]) -> Filter:
    """The filter that the options describe; they are taken out of `options`."""
    from mvarena.store.filters import Filter

    text = {field: options.pop(f"only_{field}") for field in (*_FILTERS, *_MOMENTS)}
    return Filter(**text | {field: split_names(text[field]) for field in _COMMAS})


def _option(flag: str, field: str, **settings: Any) -> Callable[[Function], Function]:
    return click.option(flag, f"only_{field}", **settings)
