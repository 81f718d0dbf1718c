"""The table of `mvarena data list`: whole in a pipe, and in a terminal as much of it as there is room for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click
from rich.console import Console

from mvarena.text import visible

_GAP = "  "
_WIDE = ("name", "state", "size", "samples", "clusters", "one-cluster", "views", "terms")
_NARROW = ("name", "state", "size", "n", "K", "V", "ACC1", "terms")
_NUMBERS = ("size", "samples", "clusters", "one-cluster", "n", "K", "V", "ACC1")
_BESIDE_VIEWS = 32  # columns of the terminal that the names of views must leave to the terms
_LEAST_TERMS = 12
_MOST_VIEWS = 8  # whose names are told


def print_datasets(entries: Sequence[Mapping[str, Any]]) -> None:
    """Print one line per data set, as `mvarena data list --json` gives them.

    Names and numbers are always whole. What a terminal has no room for is, in this order, the names of the views
    (their number, V, then) and the end of the terms.
    """
    console = Console()
    rows = [_cells(entry) for entry in entries]
    if not console.is_terminal:
        _print(rows, _WIDE, None)
        return
    wide = _width(rows, _WIDE[:-1]) + _BESIDE_VIEWS <= console.width
    _print(rows, _WIDE if wide else _NARROW, console.width)
    short = "" if wide else "n samples, K clusters, V views. "
    control = f"{'one-cluster' if wide else 'ACC1'}: the ACC in percent of all samples in one cluster."
    click.echo(f"\n{short}{control}\nDetails of one: mvarena show NAME.")


def _cells(entry: Mapping[str, Any]) -> dict[str, str]:
    views = [visible(view) for view in entry["views"]]
    named = ", ".join(views) if len(views) <= _MOST_VIEWS else f"{len(views)} views"
    texts = {key: visible(str(entry[key])) for key in ("name", "state", "size", "terms")}
    n, k = ("" if entry[key] is None else str(entry[key]) for key in ("samples", "clusters"))
    acc = entry["acc_of_one_cluster"]
    texts |= dict.fromkeys(("one-cluster", "ACC1"), "-" if acc is None else f"{100 * acc:.1f}")
    return texts | {"samples": n, "clusters": k, "views": named, "n": n, "K": k, "V": str(len(views) or "")}


def _print(rows: Sequence[Mapping[str, str]], names: Sequence[str], width: int | None) -> None:
    """Aligned columns; the last one, the terms, ends where the terminal does."""
    *firsts, last = names
    room = None if width is None else max(_LEAST_TERMS, width - _width(rows, firsts) - len(_GAP))
    for row in (dict(zip(names, names, strict=True)), *rows):
        text = row[last] if room is None else _cut(row[last], room)
        cells = [_aligned(row[name], name, _column(rows, name)) for name in firsts]
        click.echo(_GAP.join([*cells, text]).rstrip())


def _cut(text: str, most: int) -> str:
    """`text` in at most `most` characters, cut at its end: what terms begin with says most."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _aligned(cell: str, name: str, width: int) -> str:
    return cell.rjust(width) if name in _NUMBERS else cell.ljust(width)


def _column(rows: Sequence[Mapping[str, str]], name: str) -> int:
    return max(len(name), *(len(row[name]) for row in rows), 0)


def _width(rows: Sequence[Mapping[str, str]], names: Sequence[str]) -> int:
    return sum(_column(rows, name) for name in names) + len(_GAP) * (len(names) - 1)
