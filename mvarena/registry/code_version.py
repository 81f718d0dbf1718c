"""The version of code that declares none: a digest of its source, so that changed code runs again."""

from __future__ import annotations

import hashlib
import inspect
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mvarena.registry.code_digest import code_digest, digest_in_folder

_PLAIN = (type(None), bool, int, float, complex, str, bytes, tuple, frozenset)


PREFIX = "code-"


def version_in_file(path: Path, module: str | None = None) -> str:
    """'code-' and 12 hex digits of a digest of a file, and of the modules of its folder that it imports.

    Comments, docstrings, and what is imported from elsewhere do not count.

    module : the full name by which its package imports it, where it is part of one; the folder is then the package's.
    """
    full = module or path.stem.replace(".", "_")
    folder = path.parents[full.count(".") + (path.name == "__init__.py")]
    return _version(digest_in_folder(folder, full, path).encode())


def version_of_installed(kind: type) -> str:
    """The same of a class of an installed package: of its module, and of those of the package that this imports.

    Of NumPy, SciPy and scikit-learn one module counts, as their versions are stored with the environment.
    """
    return _version(code_digest(kind).encode())


def version_of_class(kind: type) -> str:
    """The same of a class without a file of its own (a notebook, a script, a function's inside): of its source, and
    of every function, class and constant of the same module that it refers to."""
    return _version("\n".join(_parts(kind, kind.__module__, set())).encode())


def file_of(kind: type) -> Path | None:
    """The file from which a top-level class was imported; None for one of the running script or of a prompt."""
    module = sys.modules.get(kind.__module__)
    source = getattr(module, "__file__", None)
    if kind.__module__ == "__main__" or "." in kind.__qualname__ or not source:
        return None
    path = Path(source).resolve()
    return path if path.suffix == ".py" and path.is_file() else None


def _version(content: bytes) -> str:
    return f"{PREFIX}{hashlib.sha256(content).hexdigest()[:12]}"


def _parts(found: Any, module: str, seen: set[int]) -> Iterator[str]:
    """Source texts of an object and of everything within `module` that it refers to."""
    if id(found) in seen:
        return
    seen.add(id(found))
    if isinstance(found, _PLAIN):
        yield repr(found)
    elif isinstance(found, (staticmethod, classmethod)):
        yield from _parts(found.__func__, module, seen)
    elif isinstance(found, property):
        for accessor in (found.fget, found.fset):
            yield from _parts(accessor, module, seen)
    elif isinstance(found, types.FunctionType) and found.__module__ == module:
        yield _source(found)
        for value in _referred(found):
            yield from _parts(value, module, seen)
    elif inspect.isclass(found) and found.__module__ == module:
        yield from _class_parts(found, module, seen)


def _class_parts(kind: type, module: str, seen: set[int]) -> Iterator[str]:
    yield f"class {kind.__qualname__} {sorted(map(str, inspect.get_annotations(kind).items()))}"
    for base in kind.__bases__:
        yield f"{base.__module__}.{base.__qualname__}"
        yield from _parts(base, module, seen)
    for name, value in sorted(vars(kind).items()):
        if not name.startswith("__") or (inspect.isfunction(value) and _is_written(value)):
            yield name
            yield from _parts(value, module, seen)


def _is_written(function: types.FunctionType) -> bool:
    """True if it stands in the source, unlike the constructor that a dataclass makes."""
    return function.__code__.co_filename != "<string>"


def _source(function: types.FunctionType) -> str:
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):  # typed at a prompt: the compiled code must do
        code = function.__code__
        return f"{code.co_code.hex()} {[c for c in code.co_consts if isinstance(c, _PLAIN)]} {code.co_names}"


def _referred(function: types.FunctionType) -> Iterator[Any]:
    """The globals and the variables of enclosing functions that its code, inner functions included, names."""
    names: set[str] = set()
    pending = [function.__code__]
    while pending:
        code = pending.pop()
        names.update(code.co_names)
        pending += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    for name in sorted(names & function.__globals__.keys()):
        yield function.__globals__[name]
    for cell in function.__closure__ or ():
        yield cell.cell_contents
