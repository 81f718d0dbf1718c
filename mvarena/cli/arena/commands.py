"""`mvarena arena`: releases of the arena, a method of one's own on their boards, and their pages."""

from __future__ import annotations

import click

from mvarena.cli.lazy import LazyGroup

_COMMANDS = {
    "run": "mvarena.cli.arena.entering:enter",
    "board": "mvarena.cli.arena.publishing:board",
    "release": "mvarena.cli.arena.publishing:release",
    "page": "mvarena.cli.arena.publishing:page",
    "changes": "mvarena.cli.arena.publishing:changes",
}
_EXAMPLES = """\b
Examples:
  mvarena arena run my_method.py:MyMethod --lite
  mvarena arena board --lite
  mvarena arena release reports/arena --db lite.db --suite arena-lite --name arena-lite-2027.1
  mvarena arena page reports/arena --check
  mvarena arena changes older/arena reports/arena
"""


@click.group(cls=LazyGroup, targets=_COMMANDS, epilog=_EXAMPLES)
def arena() -> None:
    """Releases of the arena: enter a method of your own, see the board, make a release and its page.

    A release is a folder with the results of a suite (mvarena show arena --kind study, or arena-lite), a card and a
    page; those of mvarena's repository are in its folder reports.
    """
