r"""Tables in LaTeX with booktabs, to be \input into a paper: a short caption, and what must be known below it."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from mvarena.report.tables.model import Cell, Table
from mvarena.text import visible

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
_LETTERS = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma",
    "τ": "tau", "υ": "upsilon", "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta",
    "Λ": "Lambda", "Σ": "Sigma", "Φ": "Phi", "Ω": "Omega",
}  # fmt: skip
_KNOWN = _ESCAPES | {letter: f"$\\{name}$" for letter, name in _LETTERS.items()}
RANKS = "Bold: the best of a column; underlined: the second."
NOTE = "[U+...]: a character of another script, given by its Unicode number."


def latex_table(table: Table, *, label: str) -> str:
    """`table` as a LaTeX table environment: best in bold, second underlined, title on top, all else below.

    label : for \\ref, without its 'tab:'. The first line says which packages it needs: booktabs, a T1 font encoding for
    \\textquotedbl, and, for what is larger than a page of an article, graphicx and rotating.
    Characters that pdfLaTeX does not set by itself stand as [U+6570], with a note.
    """
    heads = " & ".join(latex_escape(column.head) for column in table.columns)
    body: list[str] = []
    for row in table.rows:
        apart = row.control and body and not any(line == r"\midrule" for line in body)
        body += [r"\midrule"] if apart else []
        body.append(" & ".join([_head(row.head), *(_cell(cell) for cell in row.cells)]) + r" \\")
    fit = _fit(table)
    lines = [
        rf"% needs {', '.join((*_PACKAGES, *fit.packages))}",
        rf"\begin{{{fit.environment}}}",
        r"\centering",
        rf"\caption{{{latex_escape(table.title)}.}}",
        rf"\label{{tab:{label}}}",
        *fit.opening,
        rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}",
        r"\toprule",
        *_spans(table),
        rf"{latex_escape(table.head)} & {heads} \\",
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}" + fit.closing,
    ]
    escaped = any("[U+" in line for line in lines)
    return "\n".join([*lines, *_below(table, escaped), rf"\end{{{fit.environment}}}"]) + "\n"


def _spans(table: Table) -> list[str]:
    """The line above the heads of columns, with a rule below each of its entries."""
    entries, rules, first = [], [], 2
    for head, count in table.spans:
        entries.append(rf"\multicolumn{{{count}}}{{c}}{{{latex_escape(head)}}}")
        rules.append(rf"\cmidrule(lr){{{first}-{first + count - 1}}}")
        first += count
    return [rf" & {' & '.join(entries)} \\", " ".join(rules)]


_PACKAGES = (r"\usepackage{booktabs}", r"\usepackage[T1]{fontenc}")
_LETTER, _GAP, _LINE = 5.0, 12.0, 12.0  # points at 10 pt: a letter, between two columns, a line
_PAGE = (345.0, 500.0)  # points: the text of an article's page, less caption and notes in height


class _Fit(NamedTuple):
    """The means that make a table fit on a page: its environment, and what stands around the tabular."""

    environment: str
    packages: tuple[str, ...]
    opening: tuple[str, ...]
    closing: str


def _fit(table: Table) -> _Fit:
    """As it is, or scaled down upright or sideways, whichever leaves it larger."""
    heads = [max(len(table.head), *(len(row.head) for row in table.rows))]
    cells = [
        max(len(column.head), *(len(row.cells[index].shown(row.cells[index].text)) for row in table.rows))
        for index, column in enumerate(table.columns)
    ]
    width = _LETTER * sum([*heads, *cells]) + _GAP * len(cells)
    height = _LINE * (len(table.rows) + 3)
    upright, sideways = (min(room / width, side / height, 1.0) for room, side in (_PAGE, (550.0, 300.0)))
    if upright == 1.0:
        return _Fit("table", (), (), "")
    environment, room, side, packages = (
        ("table", *_PAGE, ()) if upright >= sideways else ("sidewaystable", 550.0, 300.0, (r"\usepackage{rotating}",))
    )
    wide = room / width <= side / height
    of_height = r"0.85\textheight" if environment == "table" else r"0.85\textwidth"
    size = r"{\linewidth}{!}" if wide else rf"{{!}}{{{of_height}}}"
    return _Fit(environment, (r"\usepackage{graphicx}", *packages), (rf"\resizebox{size}{{%",), "}")


def latex_escape(text: str) -> str:
    """`text` on one line, with every character that LaTeX reads as a command, or cannot set, escaped."""
    return "".join(map(_escaped, unicodedata.normalize("NFC", " ".join(visible(text).split()))))


def _below(table: Table, escaped: bool) -> list[str]:
    """Caption and notes, in a box of the page's width and in small type."""
    marks = [RANKS] if table.caption and any(cell.rank for row in table.rows for cell in row.cells) else []
    sentences = [latex_escape(item) for item in (table.caption, *marks, *table.warnings, *table.notes) if item]
    if escaped or any("[U+" in sentence for sentence in sentences):
        sentences.append(latex_escape(NOTE))
    if not sentences:
        return []
    return [
        r"\par\smallskip",
        r"\begin{minipage}{\linewidth}\footnotesize\raggedright",
        "\n\\par\n".join(sentences),
        r"\end{minipage}",
    ]


def _escaped(character: str) -> str:
    if character in _KNOWN:
        return _KNOWN[character]
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
    return cell.shown(set_mean, r" $\pm$ ", r"$^\dagger$", r"$^\ddagger$")
