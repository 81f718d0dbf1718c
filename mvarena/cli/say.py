"""What commands print that others chose the words of: names, sentences of plugins and readers, paths."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from mvarena.text import visible_lines


def say(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print `text` with whatever a terminal would obey written out."""
    click.echo(visible_lines(text), err=err, nl=nl)


def say_path(path: Path) -> None:
    """Print a path: as it is for the next program of a pipe, which may need its every byte, else as `say` does."""
    if sys.stdout.isatty() or not hasattr(sys.stdout, "buffer"):  # a stream that takes texts alone
        say(str(path))
    else:
        click.echo(os.fsencode(path))
