r"""Tables in LaTeX with booktabs, to be \input into a paper: a short caption, and what must be known below it."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from mvarena.report.tables.model import Cell, Row, Table
from mvarena.text import plural, visible

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "±": r"$\pm$",
    "−": "$-$",
    "–": "--",
    "—": "---",
    "×": r"$\times$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "→": r"$\rightarrow$",
    "…": r"\dots{}",
    "‘": "`",
    "’": "'",
    "“": "``",
    "”": "''",
    "°": r"$^\circ$",
    "²": "$^2$",
    "³": "$^3$",
    "µ": r"$\mu$",
    "†": r"$^\dagger$",
    "‡": r"$^\ddagger$",
}
MOST_COLUMNS, MOST_ROWS = 8, 15  # of a block of a table: what fits a page in letters that can be read


def latex_table(table: Table, *, label: str) -> str:
    """`table` as LaTeX: best in bold, second underlined, title on top, all else below the last block.

    Of more than MOST_ROWS methods the first are set, and of more than MOST_COLUMNS columns blocks follow each other,
    each a table of its own: the file of comma-separated values has all of them.
    label : for \\ref, without its 'tab:'. The first line says which packages it needs: booktabs, a T1 font encoding for
    \\textquotedbl, and graphicx for long names.
    Characters that pdfLaTeX does not set by itself stand as [U+6570], their Unicode numbers.
    """
    rows = table.rows[:MOST_ROWS]
    more = len(table.rows) - len(rows)
    left_out = (f"{plural(more, 'more row')} in the file of comma-separated values.",) if more else ()
    count = max(1, math.ceil(len(table.columns) / MOST_COLUMNS))
    edges = [round(number * len(table.columns) / count) for number in range(count + 1)]
    blocks = []
    for number, (start, stop) in enumerate(pairwise(edges), start=1):
        part = f" ({number} of {count})" if count > 1 else ""
        lines = _block(table, rows, range(start, stop), f"{latex_escape(table.title)}{part}.")
        below = _below(table, left_out) if number == count else []
        own = label if number == 1 else f"{label}-{number}"
        blocks.append([r"\begin{table}", r"\centering", *lines[:1], rf"\label{{tab:{own}}}", *lines[1:], *below,
                       r"\end{table}"])  # fmt: skip
    needed = f"% needs {', '.join(_PACKAGES)}"
    return "\n".join([needed, *(line for block in blocks for line in block)]) + "\n"


def latex_figure(stem: str, caption: str, width: float) -> str:
    """An image with its caption as a figure environment; the file's ending is left to LaTeX."""
    return "\n".join(
        [
            r"% needs \usepackage{graphicx}, \usepackage[T1]{fontenc}",
            r"\begin{figure}",
            r"\centering",
            rf"\includegraphics[width={width:g}in]{{{stem}}}",
            rf"\caption{{{latex_escape(caption)}}}",
            rf"\label{{fig:{stem}}}",
            r"\end{figure}",
            "",
        ]
    )


def _block(table: Table, rows: Sequence[Row], columns: range, caption: str) -> list[str]:
    """Caption and tabular of some columns, scaled down where names are too long for the page."""
    shown = [table.columns[index] for index in columns]
    heads = " & ".join(latex_escape(column.head) for column in shown)
    body = [" & ".join([_head(row.head), *(_cell(row.cells[index]) for index in columns)]) + r" \\" for row in rows]
    names = max(len(table.head), *(len(row.head) for row in rows)) if rows else len(table.head)
    widths = [
        max(len(table.columns[i].head), *(len(row.cells[i].shown(row.cells[i].text)) for row in rows)) for i in columns
    ]
    is_wide = _LETTER * sum([names, *widths]) + _GAP * len(shown) > _PAGE
    opening, closing = ([r"\resizebox{\linewidth}{!}{%"], "}") if is_wide else ([], "")
    return [
        rf"\caption{{{caption}}}",
        *opening,
        rf"\begin{{tabular}}{{l{'r' * len(shown)}}}",
        r"\toprule",
        *_spans(replace(table, columns=tuple(shown))),
        rf"{latex_escape(table.head)} & {heads} \\",
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}" + closing,
    ]


def _spans(table: Table) -> list[str]:
    """The line above the heads of columns, with a rule below each of its entries."""
    entries, rules, first = [], [], 2
    for head, count in table.spans:
        entries.append(rf"\multicolumn{{{count}}}{{c}}{{{latex_escape(head)}}}")
        rules.append(rf"\cmidrule(lr){{{first}-{first + count - 1}}}")
        first += count
    return [rf" & {' & '.join(entries)} \\", " ".join(rules)]


_PACKAGES = (r"\usepackage{booktabs}", r"\usepackage[T1]{fontenc}", r"\usepackage{graphicx}")
_LETTER, _GAP, _PAGE = 5.0, 12.0, 345.0  # points at 10 pt: a letter, between two columns, the text of an article's page


def latex_escape(text: str) -> str:
    """`text` on one line, with every character that LaTeX reads as a command, or cannot set, escaped."""
    return "".join(map(_escaped, unicodedata.normalize("NFC", " ".join(visible(text).split()))))


def _below(table: Table, left_out: Sequence[str]) -> list[str]:
    """Caption and notes, in a box of the page's width and in small type."""
    marks = table.marks if table.caption else ""
    sentences = [
        latex_escape(item) for item in (table.caption, marks, *left_out, *table.warnings, *table.notes) if item
    ]
    if not sentences:
        return []
    return [
        r"\par\smallskip",
        r"\begin{minipage}{\linewidth}\footnotesize\raggedright",
        "\n\\par\n".join(sentences),
        r"\end{minipage}",
    ]


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isascii():
        return character if character.isprintable() else ""
    # the letters of European languages, which pdfLaTeX sets in T1 encoding
    latin = ord(character) < 0x180 and unicodedata.name(character, "").startswith("LATIN")
    if latin and character.isalpha() and character not in _UNSET:
        return character
    return f"[U+{ord(character):04X}]"


# of Latin Extended-A those that T1 does not hold
_UNSET = frozenset("ĦħĸĿŀŉŦŧſ")


def _head(text: str) -> str:
    """The first cell of a line: braces keep '[' and '*' from being read as arguments of the line break before it."""
    escaped = latex_escape(text)
    return f"{{{escaped}}}" if escaped.startswith(("[", "*")) else escaped


def _cell(cell: Cell) -> str:
    mean = latex_escape(cell.text)
    set_mean = {1: rf"\textbf{{{mean}}}", 2: rf"\underline{{{mean}}}"}.get(cell.rank, mean)
    return cell.shown(set_mean, r" $\pm$ ", r"$^\ddagger$")
