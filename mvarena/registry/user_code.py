"""Contestants by their code: a class or function in a file or from Python, an instance, a program announced by a file.

Such a spec's target says where the code is: 'folder/my_method.py:MyMethod' a file, 'folder/algorithm.toml' a program
(`mvarena.registry.program_file`), 'package.module:Class' what is installed, and 'by-value:...' the code itself, where
it is of a notebook or of the running script. Its version is a hash of the code.
"""

from __future__ import annotations

import base64
import dataclasses
import inspect
import json
import pickle
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, get_type_hints

from mvarena.contracts.specs import AlgorithmSpec
from mvarena.errors import InvalidSetting, PluginError, unknown_name
from mvarena.registry.code_version import file_of, version_in_file, version_of_class, version_of_installed
from mvarena.registry.plugins import named_errors
from mvarena.registry.program_file import ENDING, program_at, program_spec

if TYPE_CHECKING:
    from mvarena.contracts.algorithm import MultiViewClusterer


_BY_VALUE = "by-value:"
# set by the arena itself: they shape how often clusters are assigned, not what is represented
ARENA_PARAMS = ("n_init", "random_state")
_LATER: list[str] = []  # what `_import_later_from` has added to sys.path


def is_local(text: str) -> bool:
    """True if a name or a target speaks of code in a file, as in 'my_method.py:MyMethod' or 'my_method.py', or of a
    program that a file announces, as in 'algorithm.toml'."""
    return text.endswith((".py", ENDING)) or text.rpartition(":")[0].endswith(".py")


def local_spec(text: str) -> AlgorithmSpec:
    """The spec of 'algorithm.toml', or of 'my_method.py:MyMethod': a `MultiViewClusterer`, a clusterer as
    scikit-learn's, or a function f(views, n_clusters, ...) that returns labels, in a file.

    'my_method.py' stands for the only such class that the file defines, or where it defines none for the only function
    with a parameter n_clusters. Its name is made from the class's, or is the
    class attribute `name`; `capabilities`, `prepare` and `label` may be class attributes, too. Runs the file. Raises
    InvalidSetting where there is no such file, UnknownName where there is no such code in it, and PluginError where it
    cannot be run. A plugin may announce what this returns.
    """
    if text.endswith(ENDING):
        return program_spec(text)
    path, name = _path_and_name(text if ":" in Path(text).name else f"{text}:{_only_method_in(text)}")
    return _spec_at(_code_in(path, name), f"{path}:{name}", version_in_file(path))


def spec_of_estimator(contestant: Any) -> tuple[AlgorithmSpec, dict[str, Any]]:
    """The spec of a contestant given as a class, function or instance, and the parameters that the instance changes.

    A class that a plugin announces keeps its spec. Any other is found by its file where it has one, and travels by
    value where it has none. A scikit-learn clusterer is wrapped (`mvarena.contracts.sklearn_adapter`); its `n_init` and
    `random_state` are set by the arena and left out.

    Raises InvalidSetting for what is no contestant, and for a parameter that is neither number, text, list nor none.
    """
    is_code = inspect.isclass(contestant) or inspect.isfunction(contestant)
    code = contestant if is_code else type(contestant)
    clusterer = as_contestant(code)
    return _spec_of_code(code, clusterer), {} if is_code else _changed(contestant, clusterer)


def loads_by_itself(spec: AlgorithmSpec) -> bool:
    """True if the spec's target is code that no distribution brings, so that no catalog need know it."""
    return spec.target.startswith(_BY_VALUE) or is_local(spec.target)


def load_local(spec: AlgorithmSpec) -> type[MultiViewClusterer]:
    """The class behind the target of such a spec.

    Raises PluginError where the file has changed since the spec was made. A target by value is unpickled, which runs
    code: only what this very run made may come here, nothing that was read from a file.
    """
    if spec.target.startswith(_BY_VALUE):
        return as_contestant(from_value(spec.target.removeprefix(_BY_VALUE)))
    if spec.target.endswith(ENDING):
        now, program = program_at(Path(spec.target))
        _require_unchanged(spec, now.version, now.target)
        from mvarena.contracts.program_adapter import program_class

        return program_class(program, spec)
    path, name = _path_and_name(spec.target)
    _require_unchanged(spec, version_in_file(path), path)
    kind = as_contestant(_code_in(path, name))
    _import_later_from(path.parent)
    return kind


def _require_unchanged(spec: AlgorithmSpec, version: str, path: object) -> None:
    if version != spec.version:
        raise PluginError(f"{path} has changed since {spec.name} was planned; run the same command again.")


def as_contestant(kind: Any) -> Any:
    """The class itself where it is a `MultiViewClusterer`; a function, or a clusterer as scikit-learn's, wrapped."""
    from mvarena.contracts.algorithm import MultiViewClusterer
    from mvarena.contracts.function_adapter import class_of_function
    from mvarena.contracts.sklearn_adapter import wrapped_clusterer

    if inspect.isfunction(kind):
        made: Any = class_of_function(kind)
        return wrapped_clusterer(made)
    if not inspect.isclass(kind) or issubclass(kind, MultiViewClusterer):
        return kind
    plain: Any = kind
    return wrapped_clusterer(plain)


# specs ----------------------------------------------------------------------------------------------------


def _spec_of_code(code: Any, clusterer: Any) -> AlgorithmSpec:
    from mvarena.contracts.spec_lookup import announced_spec

    announced = announced_spec(clusterer, AlgorithmSpec)
    if announced is not None:
        return announced
    path = None if "<" in code.__qualname__ else file_of(code)  # a lambda has no name to be found by
    if path is None:
        return _spec_at(clusterer, _BY_VALUE + to_value(code), version_of_class(code))
    if {"site-packages", "dist-packages"} & set(path.parts):
        return _spec_at(clusterer, f"{code.__module__}:{code.__name__}", version_of_installed(code))
    if "." in code.__module__:  # of a package that is not installed: relative imports need all of it
        version = version_in_file(path, code.__module__)
        return _spec_at(clusterer, _BY_VALUE + to_value(code), version)
    return _spec_at(clusterer, f"{path}:{code.__name__}", version_in_file(path))


def _spec_at(clusterer: type, target: str, version: str) -> AlgorithmSpec:
    from mvarena.contracts.spec_lookup import unannounced_spec

    return unannounced_spec(as_contestant(clusterer), AlgorithmSpec, target=target, version=version)


def _changed(contestant: Any, clusterer: Any) -> dict[str, Any]:
    from mvarena.contracts.parameters import parameters_of
    from mvarena.contracts.sklearn_adapter import changed_parameters, is_same

    if isinstance(contestant, clusterer):
        declared = parameters_of(clusterer)
        given = {
            name: value
            for name, value in contestant.get_params(deep=False).items()
            if not is_same(value, declared[name].default)
        }
    else:
        given = changed_parameters(contestant)
    return {name: _plain(clusterer, name, value) for name, value in given.items() if name not in ARENA_PARAMS}


def _plain(clusterer: type, name: str, value: Any) -> Any:
    """The value as what a trial's key can hold."""
    plain = value.item() if type(value).__module__ == "numpy" and getattr(value, "shape", None) == () else value
    if isinstance(plain, (list, tuple)):
        return [_plain(clusterer, name, item) for item in plain]
    if plain is None or isinstance(plain, (bool, int, float, str)):
        return plain
    raise InvalidSetting(
        f"{clusterer.__name__}.{name} is a {type(value).__name__}; a contestant's parameters must be numbers, "
        "strings, lists of these, True, False or None, so that its trials can be identified.",
        field=name,
        value=value,
    )


# files ----------------------------------------------------------------------------------------------------


def _path_and_name(text: str) -> tuple[Path, str]:
    index, _, name = text.rpartition(":")
    path = Path(index).expanduser().resolve()
    if not index.endswith(".py") or not name.isidentifier():
        raise InvalidSetting(f"'{text}' is not a class in a file; write it as my_method.py:MyMethod.")
    if not path.is_file():
        raise InvalidSetting(f"There is no file {index}; give the path of a Python file, as in my_method.py:{name}.")
    return path, name


def _only_method_in(text: str) -> str:
    """The name of the only clusterer that a file defines. Raises InvalidSetting where it has none, or several."""
    path = Path(text).expanduser().resolve()
    if not path.is_file():
        raise InvalidSetting(f"There is no file {text}; give the path of a Python file, as in my_method.py.")
    code = _own_code(_module_at(path))
    classes = [item.__name__ for item in code if inspect.isclass(item) and _fits(item)]
    names = classes or [item.__name__ for item in code if inspect.isfunction(item) and _is_method(item)]
    if len(names) == 1:
        return names[0]
    if names:
        named = ", ".join(f"{path.name}:{name}" for name in names)
        raise InvalidSetting(f"{text} has {len(names)} methods; name one: {named}", field="algo")
    raise InvalidSetting(
        f"{text} defines no class with fit, fit_predict or solve, and no function f(views, n_clusters); write one, or "
        f"name what it imports, as in {path.name}:NAME.",
        field="algo",
    )


def _fits(kind: type) -> bool:
    return any(callable(getattr(kind, name, None)) for name in ("fit_predict", "fit"))


def _is_method(function: Callable[..., Any]) -> bool:
    """True if the parameters after the first have n_clusters among them."""
    return "n_clusters" in list(inspect.signature(function).parameters)[1:]


def _own_code(module: ModuleType) -> list[Any]:
    """The classes and functions that a file defines, but for private ones."""
    return [
        value
        for name, value in vars(module).items()
        if (inspect.isclass(value) or inspect.isfunction(value))
        and value.__module__ == module.__name__
        and value.__name__ == name
        and not name.startswith("_")
    ]


def _code_in(path: Path, name: str) -> Any:
    """The class or function of that name, which the file may import as well as define."""
    module = _module_at(path)
    result = getattr(module, name, None)
    if inspect.isclass(result) or inspect.isfunction(result):
        return result
    names = sorted(item.__name__ for item in _own_code(module))
    hint = f"It defines {', '.join(names) or 'none'}."
    raise unknown_name(f"class or function in {path.name}", name, names, hint)


def _module_at(path: Path) -> ModuleType:
    """The file as a module under a private name, run once for each content of it and of the modules beside it."""
    digest = sha256(str(path).encode() + path.read_bytes() + version_in_file(path).encode()).hexdigest()[:12]
    name = f"_mvarena_local_{digest}"
    if name in sys.modules:
        return sys.modules[name]
    result = spec_from_file_location(name, path)
    assert result is not None
    assert result.loader is not None
    module = module_from_spec(result)
    sys.modules[name] = module  # pickle and type hints look classes up there
    try:
        with _importable_from(path.parent), _without_bytecode(), named_errors(f"{path}"):
            result.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


@contextmanager
def _without_bytecode() -> Iterator[None]:
    """Write no __pycache__ meanwhile: the folder is somebody's own."""
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    finally:
        sys.dont_write_bytecode = before


@contextmanager
def _importable_from(folder: Path) -> Iterator[None]:
    """Make a folder importable meanwhile, as for a script that is run there.

    Its modules are read anew, and those of other users' folders with the same names are set aside.
    """
    beside = {path.stem for path in folder.glob("*.py")} | {path.parent.name for path in folder.glob("*/__init__.py")}
    loaded = {name: module for name, module in sys.modules.items() if name.partition(".")[0] in beside}
    aside = {name: module for name, module in loaded.items() if _is_of_a_user(module)}
    for name in aside:
        del sys.modules[name]
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name, module in aside.items():
            if folder not in Path(str(module.__file__)).parents:
                sys.modules[name] = module
            sys.modules.setdefault(name, module)  # where the file did not import it


def _import_later_from(folder: Path) -> None:
    """Have a method's own imports, as in its `fit`, find modules of this folder, after all others."""
    sys.path[:] = [other for other in sys.path if other not in _LATER]
    _LATER[:] = [] if str(folder) in sys.path else [str(folder)]
    sys.path += _LATER


def _is_of_a_user(module: ModuleType) -> bool:
    """True if it comes from a file that is neither Python's, nor installed, nor mvarena's."""
    path = Path(getattr(module, "__file__", None) or "")
    ours, standard = Path(__file__).parents[1], Path(sysconfig.get_path("stdlib"))
    return (
        path.name != ""
        and not {"site-packages", "dist-packages"} & set(path.parts)
        and not {ours, standard} & set(path.parents)
    )


# Code of a notebook or of the running script as a text, so that it can cross into another process.


def to_value(code: Any) -> str:
    """The class or function as letters and digits, for a process that may run elsewhere but has the same packages."""
    import cloudpickle

    for owner in getattr(code, "__mro__", ()):
        _resolve_annotations(owner)
    pickled = base64.b64encode(cloudpickle.dumps(code)).decode()
    packed: dict[str, Any] = {"folders": [folder for folder in sys.path if folder], "code": pickled}
    if file_of(code) is None:  # its source, from which this may be guessed, stays here
        packed["gaps"] = getattr(as_contestant(code), "gaps", None)
    return base64.b64encode(json.dumps(packed).encode()).decode()


@cache
def from_value(text: str) -> Any:
    """The class or function that `to_value` made into a text. It is unpickled: only a text made by this very run may
    come here."""
    packed = json.loads(base64.b64decode(text))
    # where the class was made, modules may have been found that this process does not find yet
    sys.path += [folder for folder in packed["folders"] if folder not in sys.path]
    code = pickle.loads(base64.b64decode(packed["code"]))
    if "gaps" in packed:
        from mvarena.contracts.gap_handling import remember_missing

        remember_missing(code, packed["gaps"])
    return code


def _resolve_annotations(owner: type) -> None:
    """Turn annotations that are texts into types: in another process, the names in them lead nowhere."""
    if owner.__module__ == "builtins" or file_of(owner) is not None:
        return
    written = vars(owner).get("__init__")
    made = dataclasses.is_dataclass(owner) and written is not None and written.__code__.co_filename == "<string>"
    for annotated in (owner, None if made else written):
        texts = {} if annotated is None else getattr(annotated, "__annotations__", {})
        if any(isinstance(value, str) for value in texts.values()):
            hints = get_type_hints(annotated, include_extras=True)
            texts.update({name: hints[name] for name in texts})
