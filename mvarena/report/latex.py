"""Tables in LaTeX with booktabs, to be \\input into a paper."""

from __future__ import annotations

import re

from mvarena.report.tables import Cell, Table
from mvarena.visible import visible

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
}
_SPECIAL = re.compile("|".join(map(re.escape, _ESCAPES)))


def latex_table(table: Table, *, label: str) -> str:
    """`table` as a LaTeX table environment: best in bold, second underlined, caption on top, notes below.

    label : for \\ref, without its 'tab:'. Needs \\usepackage{booktabs} and, for \\textquotedbl, a T1 font encoding.
    """
    heads = " & ".join(latex_escape(column.head) for column in table.columns)
    span = f"2-{len(table.columns) + 1}"
    body = [" & ".join([latex_escape(row.head), *(_cell(cell) for cell in row.cells)]) + r" \\" for row in table.rows]
    notes = [rf"\par\footnotesize {latex_escape(note)}" for note in table.notes]
    lines = [
        r"% needs \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{latex_escape(table.title)}. {latex_escape(table.caption)}}}",
        rf"\label{{tab:{label}}}",
        rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}",
        r"\toprule",
        rf" & \multicolumn{{{len(table.columns)}}}{{c}}{{{latex_escape(table.heading)}}} \\",
        rf"\cmidrule(lr){{{span}}}",
        rf"{latex_escape(table.head)} & {heads} \\",
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
        *notes,
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def latex_escape(text: str) -> str:
    """`text` with every character that LaTeX reads as a command escaped, on one line."""
    return _SPECIAL.sub(lambda found: _ESCAPES[found[0]], " ".join(visible(text).split()))


def _cell(cell: Cell) -> str:
    mean = latex_escape(cell.text)
    set_mean = {1: rf"\textbf{{{mean}}}", 2: rf"\underline{{{mean}}}"}.get(cell.rank, mean)
    return cell.shown(set_mean, r" $\pm$ ")
