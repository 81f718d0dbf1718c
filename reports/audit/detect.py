"""Search the source of one program for what it does with labels, seeds and epochs: parsed, never run."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SCORE = {"acc", "accs", "accuracy", "nmi", "nmis", "ari", "aris", "pur", "purity", "fscore"}
KEPT = {"best", "max", "tmp", "top", "highest"}
DATA = {"dataset", "data", "dataname", "db", "dname"}
LABELS = {"y", "gt", "label", "labels", "labelled", "targets"}
SETTING = {"seed": {"seed"}, "epochs": {"epoch", "epochs", "iteration", "iterations"}}


class Found(NamedTuple):
    """One finding: its line, its kind and a sentence."""

    line: int
    kind: str
    text: str


def words(node: ast.AST) -> set[str]:
    """The words of an expression's names, attributes and string keys, in small letters."""
    texts = []
    for part in ast.walk(node):
        match part:
            case ast.Name(id=text) | ast.Attribute(attr=text) | ast.Constant(value=str(text)):
                texts.append(text)
    return {word for text in texts for word in re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", text).lower())}


def best_kept(tree: ast.Module) -> Iterator[Found]:
    """Comparisons of a score with the best so far that then keep it, and maxima over lists of scores."""
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.For | ast.While)]
    branches = {node.lineno: node for loop in loops for node in ast.walk(loop) if isinstance(node, ast.If)}
    for branch in branches.values():
        kept = [target for node in branch.body for target in getattr(node, "targets", [])]
        for test in (node for node in ast.walk(branch.test) if isinstance(node, ast.Compare)):
            low, high = words(test.left), words(test.comparators[0])
            if isinstance(test.ops[0], ast.Lt | ast.LtE):
                low, high = high, low
            if isinstance(test.ops[0], ast.Gt | ast.GtE | ast.Lt | ast.LtE) and low & SCORE and high & KEPT and kept:
                yield Found(branch.lineno, "best", "a score by labels is compared with the best so far, which is kept")
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        plain = len(call.args) == 1 and isinstance(call.args[0], ast.Name | ast.Subscript | ast.Attribute)
        if plain and ast.unparse(call.func).split(".")[-1] in {"max", "argmax"} and words(call.args[0]) & SCORE:
            yield Found(call.lineno, "best", "the largest of a list of scores by labels is taken")


def settings(node: ast.AST) -> Iterator[tuple[str, str, int, object]]:
    """Every constant given to a name: kind, name, line, value. Assignments, keyword arguments and keys of a dict."""
    for part in ast.walk(node):
        pairs: list[tuple[str, ast.expr | None]] = []
        match part:
            case ast.Assign(targets=[target], value=value):
                pairs = [(ast.unparse(target), value)]
            case ast.keyword(arg=str(name), value=value):
                pairs = [(name, value)]
            case ast.Dict(keys=keys, values=values):
                pairs = [(ast.unparse(key), value) for key, value in zip(keys, values, strict=True) if key]
        for name, value in pairs:
            for kind, known in SETTING.items():
                if isinstance(value, ast.Constant) and set(re.findall(r"[a-z]+", name.lower())) & known:
                    yield kind, name, value.lineno, value.value


def per_data(tree: ast.Module) -> Iterator[Found]:
    """Seeds and epochs set under a branch on the name of the data set, or in a dict with a dict per data set."""
    parts: list[ast.AST] = []
    for node in ast.walk(tree):
        test = node.test if isinstance(node, ast.If) and isinstance(node.test, ast.Compare) else None
        if test and isinstance(test.ops[0], ast.Eq | ast.In) and words(test.left) & DATA:
            parts += [*node.body, *(e for e in node.orelse if not isinstance(e, ast.If))]
        elif isinstance(node, ast.Dict) and len([v for v in node.values if isinstance(v, ast.Dict | ast.Call)]) > 1:
            parts += [value for value in node.values if isinstance(value, ast.Dict | ast.Call)]
    groups: dict[tuple[str, str], set[tuple[int, object]]] = {}
    for part in parts:
        for kind, name, line, value in settings(part):
            groups.setdefault((kind, name), set()).add((line, value))
    for (kind, name), places in groups.items():
        last = max(line for line, _ in places)
        later = [line for _, other, line, _ in settings(tree) if other == name and line > last]
        end = f", but set again on line {later[0]}" if later else ""
        if len({value for _, value in places}) > 1:
            yield from (Found(line, kind, f"{name} = {value} for one data set{end}") for line, value in places)


def labels_used(tree: ast.Module) -> Iterator[Found]:
    """Labels as an argument of a training function or of a loss, and comparisons of two samples' labels."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func).split(".")[-1].lower()
            given = [*node.args, *(word.value for word in node.keywords)]
            names = {ast.unparse(arg) for arg in given if isinstance(arg, ast.Name) and words(arg) & LABELS}
            names = {text for text in names if not re.search("pred|pseudo|psedo", text.lower())}
            what = f"{', '.join(sorted(names))} passed to {name}"
            if "loss" in name and any(re.match("real|true|gt", text) for text in names):
                yield Found(node.lineno, "loss", what)
            elif names and re.search("train|fit$", name):
                yield Found(node.lineno, "passed", what + "; whether they are more than scored cannot be told")
        elif isinstance(node, ast.Compare) and isinstance(node.left, ast.Subscript):
            left, right = node.left.value, node.comparators[0]
            same = isinstance(right, ast.Subscript) and ast.unparse(left) == ast.unparse(right.value)
            if same and words(left) & LABELS:
                yield Found(node.lineno, "pairs", "the labels of two samples are compared")


def audit(path: Path) -> list[Found]:
    """All findings in a file, by line. A file that this Python cannot parse raises SyntaxError or ValueError."""
    tree = ast.parse(path.read_text(encoding="utf-8", errors="replace"))
    return sorted({*best_kept(tree), *per_data(tree), *labels_used(tree)})
