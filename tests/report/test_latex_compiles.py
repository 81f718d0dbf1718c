"""Tables are set by LaTeX itself, where one is at hand."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from mvarena.report.formats.latex import latex_escape, latex_table
from mvarena.report.write import tables_of

_HEAD = (
    r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{booktabs}\usepackage{graphicx}\usepackage{rotating}"
    r"\begin{document}"
)
_ODD = (
    "".join(map(chr, [*range(0x20, 0x180), *range(0x370, 0x400)]))
    + "人脸データ데이터 مجموعة מידע 🙂 \u0301\u200f\ufffd\ue000±−–—×≤≥…→‘’“”"
)


def _lacking() -> str:
    """What of LaTeX is not here; '' if nothing."""
    if shutil.which("pdflatex") is None or shutil.which("kpsewhich") is None:
        return "pdflatex"
    styles = [f"{name}.sty" for name in ("booktabs", "graphicx", "rotating")]
    found = subprocess.run(["kpsewhich", *styles], capture_output=True, text=True, check=False).stdout.split()
    return ", ".join(style for style in styles if not any(path.endswith(style) for path in found))


LACKING = _lacking()
pytestmark = pytest.mark.skipif(bool(LACKING), reason=f"LaTeX is not complete here: no {LACKING}")


def typeset(body: str, folder: Path) -> str:
    """What pdflatex complains of; '' if nothing."""
    (folder / "t.tex").write_text(f"{_HEAD}\n{body}\n\\end{{document}}\n", encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-draftmode", "t.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=300, check=False)
    said = done.stdout.decode(errors="replace")
    return "" if done.returncode == 0 else said[said.find("\n!") :]


def test_every_character_is_set_or_escaped(tmp_path: Path) -> None:
    assert typeset("\n\n".join(f"x{latex_escape(one)}y" for one in _ODD), tmp_path) == ""


def test_tables_of_hostile_names_are_set(results_of, long_frame, tmp_path: Path) -> None:
    for name in (r"\input{/etc/passwd}", "[a]", "*", "a&b%c$d#e_f{g}", "人脸", "~^|<>\"'`", "- --"):
        for dataset in ("数据_1", r"\end{table}"):
            for rate in (0.1, 0.3):
                long_frame.trial(name, {"acc": [0.5]}, dataset=dataset, content=dataset, rate=rate)
        long_frame.trial(name, status="FAILED", reason=r"100 % of \undefined{x} & 数据", dataset="z", content="z")
    tables = tables_of(results_of(long_frame, metrics=["acc"]))
    assert len(tables) > 6
    assert typeset("\n".join(latex_table(one, label=f"x{i}") for i, one in enumerate(tables)), tmp_path) == ""


def test_tables_larger_than_a_page_are_set_upright_and_sideways(results_of, new_long_frame, tmp_path: Path) -> None:
    for n_methods, n_datasets in ((80, 2), (5, 30)):
        builder = new_long_frame()
        for method in range(n_methods):
            for dataset in range(n_datasets):
                name = f"set-{dataset}"
                builder.trial(f"method-{method}", {"acc": [0.5], "nmi": [0.4]}, dataset=name, content=name)
        (table,) = tables_of(results_of(builder, metrics=["acc", "nmi"]), ["paper"])
        assert typeset(latex_table(table, label="x"), tmp_path) == ""
