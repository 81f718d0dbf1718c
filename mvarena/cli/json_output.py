"""`--json`: standard output holds one JSON document and nothing else, whatever plugins and methods print."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from functools import wraps
from typing import Any, TextIO

import click

_STDOUT, _STDERR = 1, 2
_documents: list[TextIO] = []  # where the command that runs prints its document, innermost last


def json_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """--json, given to the command as `as_json`; with it, what anybody prints but by `echo_json` goes to stderr."""

    @wraps(command)
    def alone_on_stdout(*args: Any, as_json: bool, **options: Any) -> Any:
        with ExitStack() as stack:
            if as_json:
                stack.enter_context(_kept_for_json())
            return command(*args, as_json=as_json, **options)

    return click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")(alone_on_stdout)


def echo_json(value: Any) -> None:
    """Print `value`, or a text that is JSON already, as the command's document."""
    text = value if isinstance(value, str) else json.dumps(value, indent=2)
    click.echo(text, file=_documents[-1] if _documents else sys.stdout)


@contextmanager
def _kept_for_json() -> Iterator[None]:
    """Turn standard output to standard error, for Python, for C and for child processes, but for `echo_json`."""
    with ExitStack() as stack:
        _documents.append(stack.enter_context(_document_stream()))
        stack.callback(_documents.pop)
        stack.enter_context(redirect_stdout(sys.stderr))
        yield


@contextmanager
def _document_stream() -> Iterator[TextIO]:
    """What standard output was; its descriptor, where it has the usual one, leads to standard error meanwhile."""
    before = sys.stdout
    if not _is_descriptor(before, _STDOUT):  # a stream of somebody who calls the command from Python
        yield before
        return
    before.flush()
    kept = os.dup(_STDOUT)
    try:
        with suppress(OSError):  # standard error is closed: nothing can be turned to it
            os.dup2(_STDERR, _STDOUT)
        with os.fdopen(os.dup(kept), "w", encoding=before.encoding, errors=before.errors) as stream:
            yield stream
    finally:
        os.dup2(kept, _STDOUT)
        os.close(kept)


def _is_descriptor(stream: TextIO, number: int) -> bool:
    try:
        return stream.fileno() == number
    except (OSError, ValueError, AttributeError):
        return False
