"""Command line as typed, stored with the results of the run."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from mvarena.study.request import Asked


_TYPED = "mvarena.typed"  # the words behind 'mvarena', in the context that all commands of one call share


def note_typed(ctx: click.Context, words: list[str]) -> None:
    """Remember what was typed, for `as_typed`."""
    ctx.meta.setdefault(_TYPED, tuple(words))


def as_typed(study: str | None = None) -> Asked:
    """The command that is running, with the study (a path, or a shipped one's name) that it runs, as they are kept."""
    from mvarena.study.request import Asked, kept_study, typed_command
    from mvarena.study.shipped import study_at

    ctx = click.get_current_context(silent=True)
    words = ctx.meta.get(_TYPED) if ctx else None
    text = "" if study is None else kept_study(study_at(study).document)
    return Asked(typed_command(sys.argv[1:] if words is None else words), text)
