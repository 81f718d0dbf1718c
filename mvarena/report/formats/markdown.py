"""Tables in Markdown, for README files and issue threads."""

from __future__ import annotations

import re

from tabulate import tabulate

from mvarena.report.tables.model import Cell, Table
from mvarena.text import visible

_END_OF_SENTENCE = re.compile(r"\.(?=\s|$)")  # the point in "rate 0.1" or "digits.mat" ends none
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|$~])")


def markdown_table(table: Table) -> str:
    """`table` as GitHub's Markdown: best in bold, second underlined, caption and notes below."""
    heads = [markdown_escape(table.head), *(markdown_escape(column.full_head) for column in table.columns)]
    lines = [[markdown_escape(row.head), *(_cell(cell) for cell in row.cells)] for row in table.rows]
    align = ["left", *("right" for _ in table.columns)]
    grid = tabulate(lines, headers=heads, tablefmt="pipe", disable_numparse=True, colalign=align)
    notes = [f"- {markdown_escape(note)}" for note in (*table.warnings, *table.notes)]
    parts = [f"**{markdown_escape(table.title)}**", grid, markdown_escape(table.caption), "\n".join(notes)]
    return "\n\n".join(filter(None, parts)) + "\n"


def markdown_figure(image: str, caption: str) -> str:
    """An image with its caption below; the caption's first sentence is the text in place of the image."""
    alternative = _END_OF_SENTENCE.split(caption, maxsplit=1)[0]
    return f"![{markdown_escape(alternative)}]({image})\n\n*{markdown_escape(caption)}*\n"


def markdown_escape(text: str) -> str:
    """`text` with every character that Markdown reads as markup, HTML among it, escaped, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(visible(text).split()))


def _cell(cell: Cell) -> str:
    shown = markdown_escape(cell.shown(cell.text))
    return {1: f"**{shown}**", 2: f"<u>{shown}</u>"}.get(cell.rank, shown)
