r"""Tables in LaTeX with booktabs, to be \input into a paper: a short caption, and what must be known below it."""

from __future__ import annotations

import unicodedata

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
NOTE = "[U+...]: a character of another script, by its Unicode number."


def latex_table(table: Table, *, label: str) -> str:
    """`table` as a LaTeX table environment: best in bold, second underlined, title on top, all else below.

    label : for \\ref, without its 'tab:'. Needs \\usepackage{booktabs} and, for \\textquotedbl, a T1 font encoding.
    Characters that pdfLaTeX does not set by itself stand as [U+6570], with a note.
    """
    heads = " & ".join(latex_escape(column.head) for column in table.columns)
    span = f"2-{len(table.columns) + 1}"
    body: list[str] = []
    for row in table.rows:
        apart = row.control and body and not any(line == r"\midrule" for line in body)
        body += [r"\midrule"] if apart else []
        body.append(" & ".join([_head(row.head), *(_cell(cell) for cell in row.cells)]) + r" \\")
    lines = [
        r"% needs \usepackage{booktabs} and \usepackage[T1]{fontenc}",
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{latex_escape(table.title)}.}}",
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
    ]
    escaped = any("[U+" in line for line in lines)
    return "\n".join([*lines, *_below(table, escaped), r"\end{table}"]) + "\n"


def latex_escape(text: str) -> str:
    """`text` on one line, with every character that LaTeX reads as a command, or cannot set, escaped."""
    return "".join(map(_escaped, unicodedata.normalize("NFC", " ".join(visible(text).split()))))


def _below(table: Table, escaped: bool) -> list[str]:
    """Caption and notes, in a box of the page's width and in small type."""
    marks = [RANKS] if any(cell.rank for row in table.rows for cell in row.cells) else []
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
