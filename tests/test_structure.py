"""The structure of the package: no imports in a circle, folders that can be overlooked, docstrings that begin plainly,
and the files and functions that CONTRIBUTING names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "mvarena"
MOST_FILES_IN_A_FOLDER = 26
MOST_LINES_IN_A_FILE = 500
RIDDLES = {"What", "Which", "Whether", "How", "Who", "Whoever", "Whatever", "That", "Where", "Those", "When", "Why"}
MODULES = sorted(PACKAGE.rglob("*.py"))


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _imported(path: Path, known: set[str]) -> Iterator[str]:
    """Modules that a file imports, inside functions too; imports for type checkers apart."""
    waiting: list[ast.AST] = [_tree(path)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                if full in known:
                    yield full
                elif node.module in known:
                    yield node.module
        waiting += ast.iter_child_nodes(node)


def test_no_imports_go_in_a_circle():
    known = {_name(path) for path in MODULES}
    # a package's __init__ only hands names on; the public `mvarena` imports lazily
    graph = {_name(path): set(_imported(path, known)) - {_name(path), "mvarena"} for path in MODULES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_a_folder_can_be_overlooked():
    folders = {path.parent for path in MODULES}
    crowded = {folder.name: n for folder in folders if (n := len(list(folder.glob("*.py")))) > MOST_FILES_IN_A_FOLDER}
    assert not crowded


def test_a_file_is_one_subject():
    assert not [path for path in MODULES if len(path.read_text("utf-8").splitlines()) > MOST_LINES_IN_A_FILE]


def test_docstrings_begin_with_a_noun_or_an_imperative():
    begins = []
    for path in MODULES:
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                text = ast.get_docstring(node)
                if text and text.split()[0].rstrip(",:;.") in RIDDLES:
                    begins.append(f"{path.relative_to(ROOT)}: {text.splitlines()[0]}")
    assert not begins


def _contributing() -> str:
    return (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_files_that_contributing_names_exist():
    paths = set(re.findall(r"`((?:mvarena|tests|benchmarks|docs|plugins)/[\w./-]+\.\w+)`", _contributing()))
    assert len(paths) > 30
    assert not [path for path in paths if "NAME" not in path and not (ROOT / path).exists()]


def test_functions_that_a_way_names_stand_in_its_file():
    steps = re.findall(r"^\d\. `(mvarena/[\w/]+\.py)`: `(\w+)`", _contributing(), re.MULTILINE)
    assert len(steps) >= 18
    for path, name in steps:
        defined = {getattr(node, "name", "") for node in _tree(ROOT / path).body}
        assert name in defined, f"{path} has no {name}"
