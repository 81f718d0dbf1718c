"""Formulas of docstrings, such as `min  sum_v |X_v - Z A^T W_v^T|_F^2`, as MathML, which needs no script or network."""

from __future__ import annotations

import re
from html import escape

_NAMES = "alpha beta gamma delta eta kappa lambda lam mu rho sigma tau theta phi Lambda Delta Sigma"
_GREEK = dict(zip(_NAMES.split(" "), "αβγδηκλλμρστθφΛΔΣ", strict=True))
_UPRIGHT = {"min", "max", "tr", "diag", "exp", "log", "mean", "sqrt", "rank"}
_SIGNS = {">=": "≥", "<=": "≤", "..": "…", "~": "∝", "-": "−", "*": "·"}
_INDEX = r"(?:\([^()]*\)|\{[^{}]*\}|\*|[A-Za-z0-9]+(?:,[A-Za-z0-9]+)*)"
_POWER = r"(?:\([^()]*\)|\{[^{}]*\}|\*|-?[A-Za-z0-9]+(?:/\d+)?)"
_TOKEN = re.compile(
    rf"(?P<space>\s+)|(?P<name>[A-Za-z]+\d*|\d*\.?\d+)|_(?P<sub>{_INDEX})|\^(?P<sup>{_POWER})"
    r"|(?P<star>(?<=[A-Za-z])\*)|(?P<sign>>=|<=|\.\.|.)"
)
_WORD = re.compile(r"[a-z]{2,}")


def formula(text: str) -> str:
    """A block of lines as one MathML element; words between formulas stay words.

    Notes beside a formula are set off from it by three blanks or more.
    """
    rows = []
    for line in text.strip("\n").splitlines():
        parts = [part for part in re.split(r"\s{3,}", line.strip()) if part]
        cells = '<mspace width="2em"/>'.join(_words(part) if _is_note(part) else _row(part) for part in parts)
        rows.append(f"<mtr><mtd><mrow>{cells}</mrow></mtd></mtr>")
    table = f'<mtable columnalign="left" rowspacing="0.6em">{"".join(rows)}</mtable>'
    return f'<math display="block">{table}</math>'


def is_formula(text: str) -> bool:
    """Whether a block of a docstring is mathematics: indented, and not code or a table."""
    if not all(line.startswith("    ") for line in text.splitlines()):
        return False
    return bool(re.search(r"\b(min|max)\b|[=~]| [<>]=? ", text)) and not re.search(
        r">>>|\bimport\b|mvarena|==|\w\(\w+=|self\.|\w\[\w+\]", text
    )


def _is_note(part: str) -> bool:
    names = re.findall(r"[A-Za-z]+", part)
    return not re.search(r"[=^<>+_]", part) and any(_WORD.fullmatch(name) and not _known(name) for name in names)


def _known(name: str) -> bool:
    return name in _GREEK or name in _UPRIGHT or name == "sum"


def _words(text: str) -> str:
    return f"<mtext>{escape(text)}</mtext>"


def _row(text: str) -> str:
    """A formula: atoms in order, of which brackets and bars make groups that an index or a power belongs to."""
    groups: list[tuple[str, list[str]]] = [("", [])]
    for token in _TOKEN.finditer(text):
        atoms = groups[-1][1]
        kind, value = token.lastgroup or "", token[token.lastgroup or 0]
        if kind == "space":
            continue
        if kind in ("sub", "sup"):
            atoms.append(_attached(atoms.pop() if atoms else "<mi></mi>", kind, value))
        elif kind == "star":
            atoms.append(_attached(atoms.pop(), "sup", "*"))
        elif kind == "name":
            atoms.append(_name(value, is_operator=text[token.end() : token.end() + 1] == "_"))
        elif value in "([{" or (value == "|" and groups[-1][0] != "|"):
            groups.append((value, []))
        elif value in ")]}|" and len(groups) > 1:
            opened, inside = groups.pop()
            groups[-1][1].append(_group(opened, inside, value))
        else:
            atoms.append(f"<mo>{escape(_SIGNS.get(value, value))}</mo>")
    while len(groups) > 1:  # a bracket that is closed on the next line
        opened, inside = groups.pop()
        groups[-1][1].extend([f"<mo>{escape(opened)}</mo>", *inside])
    return "".join(groups[0][1])


def _group(opened: str, inside: list[str], closed: str) -> str:
    left, right = ("‖", "‖") if opened == "|" else (opened, closed)
    return f'<mrow><mo stretchy="false">{left}</mo>{"".join(inside)}<mo stretchy="false">{right}</mo></mrow>'


def _name(name: str, is_operator: bool) -> str:
    letters, digits = re.fullmatch(r"([A-Za-z]*)(.*)", name).groups()  # type: ignore[union-attr]
    if not letters:
        return f"<mn>{digits}</mn>"
    if letters == "sum" and is_operator:
        return '<mo largeop="true" movablelimits="false">∑</mo>'
    if letters in _GREEK:
        atom = f"<mi>{_GREEK[letters]}</mi>"
    elif letters in _UPRIGHT:
        space = '<mspace width="0.3em"/>' if letters in ("min", "max") else ""
        return f'<mi mathvariant="normal">{letters}</mi>{space}'
    elif _WORD.fullmatch(letters) and len(letters) > 1:
        return f"<mtext>\u00a0{escape(letters)}\u00a0</mtext>"
    elif letters == "o":
        return "<mo>∘</mo>"
    elif len(letters) == 2 and letters[1].islower():
        atom = f"<msub><mi>{letters[0]}</mi><mi>{letters[1]}</mi></msub>"
    else:
        atom = "".join(f"<mi>{letter}</mi>" for letter in letters)
        atom = atom if len(letters) == 1 else f"<mrow>{atom}</mrow>"
    return f"<msub>{atom}<mn>{digits}</mn></msub>" if digits else atom


def _attached(atom: str, kind: str, value: str) -> str:
    """An atom with an index or a power, or with both where it has the other already."""
    inner = value[1:-1] if value[0] in "({" else value
    script = "<mo>∗</mo>" if inner == "*" else f"<mrow>{_script(inner)}</mrow>"
    if "∑" in atom and atom.startswith("<mo"):
        return f"<munder>{atom}{script}</munder>"
    if kind == "sup" and (split := re.fullmatch(r"<msub>(.*)</msub>", atom)):
        return f"<msubsup>{split[1]}{script}</msubsup>"
    return f"<m{kind}>{atom}{script}</m{kind}>"


def _script(text: str) -> str:
    """An index or a power: each letter of an index such as ij is a name of its own, as in S_ij; Greek names are one."""
    parts = []
    for name in re.findall(r"[A-Za-z]+|\d+|[^\sA-Za-z\d]", text):
        if name in _GREEK:
            parts.append(f"<mi>{_GREEK[name]}</mi>")
        elif name.isdigit():
            parts.append(f"<mn>{name}</mn>")
        elif name.isalpha():
            parts.append("".join(f"<mi>{letter}</mi>" for letter in name))
        else:
            parts.append(f"<mo>{escape(_SIGNS.get(name, name))}</mo>")
    return "".join(parts)
