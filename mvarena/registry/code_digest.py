"""Digest of the code behind a component: of its module, and of the modules of the same package that it imports.

Sources are read and parsed, nothing is imported, so that every process finds the same. Comments, docstrings, layout and
what type checkers alone import do not count; nor do modules that are imported by a name made at run time.
"""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from mvarena.system.garbage_collection import uncollected

SCHEME = "3:"
PLUMBING: Mapping[str, str] = {  # modules of mvarena that decide no result of a component, and why
    "mvarena.contracts.capabilities": "refuses data; changes no result",
    "mvarena.contracts.parameters": "refuses values; those that are taken are in the key of a trial",
    "mvarena.contracts.spec_lookup": "finds the spec of a class, and completes its docstring",
    "mvarena.contracts.specs": "announces; raising a version changes the keys of trials",
    "mvarena.data": "holds the data, whose content is in the key of a trial",
    "mvarena.errors": "errors and their text",
    "mvarena.samples": "checks classes and ids; the classes are in the key of a trial",
    "mvarena.system.memory": "reads how much memory there is; what needs more is refused",
    "mvarena.system.threads": "shares the work among threads; their number is stored with the environment",
}
_BY_VERSION = ("sklearn", "scipy", "numpy")  # the environment names their versions: one module of theirs is enough
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_IGNORED = {"ctx", "kind", "type_comment", "type_ignores"}  # fields that the rest of a syntax tree implies, or comments


def is_other_code(stored: str, now: str) -> bool:
    """Return True where a stored digest is of other code than `now`; nothing is known of digests of older schemes."""
    return stored != now and now.startswith(SCHEME) and stored.startswith(SCHEME)


@cache
def code_digest(component: Any) -> str:
    """Return '3:' and 64 hex digits for a class or function; an empty text where there is no source.

    It is that of the code as it was when this process first asked. Cost: each module is read once in a process, some
    2 ms for 100 lines.
    """
    module = sys.modules.get(getattr(component, "__module__", None) or "")
    source = Path(getattr(module, "__file__", None) or "")
    if module is None or not hasattr(module, component.__qualname__.partition(".")[0]) or not source.is_file():
        return ""  # built in, written into a prompt, or made by a function of another module
    top = module.__name__.partition(".")[0]
    folders = [] if top in _BY_VERSION else [Path(one).parent for one in getattr(sys.modules.get(top), "__path__", ())]
    return _digest(module.__name__, source, {top: folders})


def digest_in_folder(folder: Path, module: str, path: Path) -> str:
    """Return the digest of the file `path`, and of the modules in `folder` that it imports.

    module : the name by which files in the folder import this one.
    """
    tops = {one.name.removesuffix(".py") for one in folder.iterdir()} - {"mvarena"}
    return _digest(module, path, {top: [folder] for top in tops})


def _digest(module: str, path: Path, folders: Mapping[str, Iterable[Path]]) -> str:
    """Return the digest of a module, and of all that it imports, directly or not, of packages that are in `folders`."""
    reached, waiting, texts = {module: path}, [module], dict[str, str]()
    with uncollected():
        while waiting:
            name = waiting.pop()
            state = reached[name].stat()
            texts[name], imported = _read(reached[name], state.st_mtime_ns, state.st_size)
            for one in _full_names(name, reached[name], imported):
                places = [] if one in PLUMBING or one in reached else folders.get(one.partition(".")[0], [])
                if (found := _file_in(places, one)) is not None:
                    reached[one] = found
                    waiting.append(one)
    lines = [f"{'' if name == module else name}\0{texts[name]}\n" for name in sorted(texts)]
    return SCHEME + hashlib.sha256("".join(lines).encode()).hexdigest()


def _file_in(folders: Iterable[Path], module: str) -> Path | None:
    for folder in folders:
        place = folder.joinpath(*module.split("."))
        for path in (place / "__init__.py", place.with_name(f"{place.name}.py")):
            if path.is_file():
                return path
    return None


def _full_names(module: str, path: Path, imported: Iterable[tuple[int, str]]) -> Iterator[str]:
    """Yield the full names of what `module` imports, each by how many packages up it begins; not all are modules."""
    package = module.split(".")[: None if path.name == "__init__.py" else -1]
    for level, name in imported:
        yield ".".join([*(package[: len(package) - level + 1] if level else []), *([name] if name else [])])


@cache
def _read(path: Path, changed_ns: int, size: int) -> tuple[str, tuple[tuple[int, str], ...]]:
    """Return the digest of the syntax of a file in its present state, and its imports as `_imported`."""
    del changed_ns, size
    content = path.read_bytes()
    try:
        tree = _Bare().visit(ast.parse(content))
        syntax = repr(_plain(tree)).encode()
    except (SyntaxError, RecursionError, MemoryError):  # of another Python, or nested too deeply
        return hashlib.sha256(content).hexdigest(), ()
    imported = dict.fromkeys(one for node in ast.walk(tree) for one in _imported(node))
    return hashlib.sha256(syntax).hexdigest(), tuple(imported)


def _plain(node: Any) -> Any:
    """Return syntax as tuples and texts, the same for every version of Python."""
    if isinstance(node, list):
        return [_plain(item) for item in node]
    if not isinstance(node, ast.AST):
        return ascii(node)
    fields = [(name, value) for name, value in ast.iter_fields(node) if name not in _IGNORED]
    return type(node).__name__, *((name, _plain(value)) for name, value in fields if value is not None and value != [])


class _Bare(ast.NodeTransformer):
    """Takes out docstrings, and what type checkers alone run."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, _DOCUMENTED):
            body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
            node.body = body or [ast.Pass()]
        return node

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        bare: Any = self.generic_visit(node)
        names = (getattr(node.test, "id", ""), getattr(node.test, "attr", ""))
        return bare.orelse if "TYPE_CHECKING" in names else bare


def _imported(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield what a statement imports: how many packages up it begins (0: an absolute name), and its name."""
    if isinstance(node, ast.Import):
        for alias in node.names:  # `import a.b` binds a
            parts = alias.name.split(".")
            yield from ((0, ".".join(parts[: end + 1])) for end in range(len(parts)))
    elif isinstance(node, ast.ImportFrom):
        yield node.level, node.module or ""
        for alias in node.names:  # each may be a module
            yield node.level, ".".join(filter(None, (node.module, alias.name)))
