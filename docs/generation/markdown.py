"""Markdown of generated pages: tables, blocks of code, and docstrings as text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from textwrap import dedent

from generation.formulas import formula, is_formula
from mvarena.report.formats.pages import markdown_rows


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table of plain texts."""
    return markdown_rows(head, [[cell(value) for value in row] for row in rows])


def cell(value: object) -> str:
    return re.sub(r"\s+", " ", str(value)).replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;") or "–"


def code(text: str, language: str = "text") -> str:
    """A block of code; its fence is longer than any in the text."""
    fence = "`" * max(3, 1 + max(map(len, re.findall(r"`+", text)), default=0))
    return f"{fence}{language}\n{dedent(text).strip()}\n{fence}"


def named(name: str) -> str:
    return f"`{name}`"


_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)


_PARAMETER = re.compile(r"(?:^|(?<=\. ))(\w+(?:, \w+)*) :(?= |$)", re.MULTILINE)


_FACTS = ("Cost: ", "Source: ", "Status: ")  # lines at the end of a method's docstring, which the table above holds


def prose(docstring: str, *, formulas: bool = False) -> str:
    """A docstring as Markdown: paragraphs are paragraphs, indented lines and tables code; parameters are left out.

    formulas : set indented formulas as mathematics.
    """
    parts = []
    for block in re.split(r"\n\s*?\n", docstring.rstrip().lstrip("\n")):
        heading = _SECTION.match(block)
        if heading and heading[1] == "Parameters":
            continue
        if heading and heading[1] == "Examples":
            parts += ["**Example**", code(block[heading.end() :], "pycon")]
            continue
        if heading:
            parts.append(f"**{heading[1]}**")
            block = block[heading.end() :]
        lines = block.splitlines()
        if formulas and is_formula(block):
            parts.append(f"<div>\n{formula(dedent(block))}\n</div>")
        elif any(line.startswith((" ", "=")) for line in lines):
            parts.append(code("\n".join(lines)))
        elif kept := [line for line in lines if not line.startswith(_FACTS)]:
            parts.append(_markdown(" ".join(kept)))
    return "\n\n".join(parts)


def _markdown(text: str) -> str:
    """Text with the characters that Markdown would take for markup escaped, but for what stands between backticks."""
    pieces = re.split(r"(`[^`]+`)", text)
    return "".join(one if one.startswith("`") else re.sub(r"([*_<\[\]|#])", r"\\\1", one) for one in pieces)


def parameter_meanings(docstring: str) -> dict[str, str]:
    """Parameter -> what the docstring's section says of it."""
    section = next((block for block in re.split(r"\n\s*\n", docstring) if block.startswith("Parameters\n")), "")
    found = list(_PARAMETER.finditer(section))
    ends = [*(one.start() for one in found[1:]), len(section)] if found else []
    return {
        name: section[one.end() : end].strip()
        for one, end in zip(found, ends, strict=True)
        for name in one[1].split(", ")
    }


def percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


def sentence(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
