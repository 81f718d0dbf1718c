"""Docstrings as reStructuredText: lines `name : meaning` are a list of definitions, indented lines are code."""

from __future__ import annotations

import re

_NAMES = r"\w+(?:, \w+)*"
_FIRST = re.compile(rf"{_NAMES} : ?")
_EACH = re.compile(rf"(?:^|(?<=[.;] ))({_NAMES}) :(?= )")
_FITTED = re.compile(r"(?<![\w`])(\w+_)(?![\w`])")  # reStructuredText takes labels_ for a link


def restructure(lines: list[str]) -> None:
    """Change the lines of a docstring, in place; its examples are left to numpydoc."""
    blocks = re.split(r"\n\s*\n", "\n".join(lines).strip("\n"))
    lines[:] = [line for block in blocks for line in (*_block(block.splitlines()), "")]


def _block(lines: list[str]) -> list[str]:
    if len(lines) > 2 and set(lines[1]) == {"-"}:
        return lines if lines[0] == "Examples" else [f".. rubric:: {lines[0]}", "", *_block(lines[2:])]
    if lines and all(line.startswith("    ") for line in lines):
        return [".. code-block:: python", "", *lines]
    start = next((i for i, line in enumerate(lines) if _FIRST.match(line)), None)
    if start is None:
        return [_as_code(line) for line in lines]
    end = next((i for i, line in enumerate(lines) if i > start and line.startswith("Raises ")), len(lines))
    return [*lines[:start], "", *_definitions(" ".join(map(str.strip, lines[start:end]))), "", *lines[end:]]


def _definitions(text: str) -> list[str]:
    found = list(_EACH.finditer(text))
    ends = [*(one.start() for one in found[1:]), len(text)]
    result: list[str] = []
    for one, end in zip(found, ends, strict=True):
        names = ", ".join(f"``{name}``" for name in one[1].split(", "))
        result += [names, "    " + _as_code(text[one.end() : end].strip())]
    return result


def _as_code(text: str) -> str:
    return _FITTED.sub(r"``\1``", text)
