"""Code of plugins that is needed before a trial: it runs in a fork of this process, and what it gives comes back as
plain values. A crash, an exit or a hang of it is an error that names it."""

from __future__ import annotations

import io
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from contextvars import ContextVar
from typing import Any, TypeVar

from mvarena.contracts.specs import Spec
from mvarena.errors import MvarenaError, PluginError
from mvarena.registry.catalog import Catalog
from mvarena.registry.plugins import is_own
from mvarena.system import forking
from mvarena.system.forking import forked
from mvarena.text import told_error

T = TypeVar("T")
CHECK_S = 60.0  # for what only looks at settings
CALL_S = 600.0  # for what picks or scores once
_SECONDS: ContextVar[float | None] = ContextVar("seconds", default=None)
# classes whose objects may come back; unpickling calls nothing else
_MODULES = ("mvarena.contracts.", "mvarena.data", "mvarena.errors", "scipy.sparse.")
_OTHERS = {
    ("numpy", "dtype"),
    ("numpy", "ndarray"),
    ("numpy._core.multiarray", "_reconstruct"),
    ("numpy._core.multiarray", "scalar"),
    ("numpy._core.numeric", "_frombuffer"),
    ("numpy.core.multiarray", "_reconstruct"),
    ("numpy.core.multiarray", "scalar"),
    ("numpy.core.numeric", "_frombuffer"),
    ("pathlib", "PosixPath"),
    ("pathlib._local", "PosixPath"),
}


@contextmanager
def ended_after(seconds: float | None) -> Iterator[None]:
    """Meanwhile each call of `apart` is ended after so many seconds; None: after any."""
    token = _SECONDS.set(seconds)
    try:
        yield
    finally:
        _SECONDS.reset(token)


def apart(what: str, deed: Callable[[], T], seconds: float | None = None) -> T:
    """The result of `deed`, made in a fork; made here where this is a trial's process, or the system has no forks.

    what : begins the sentence of an error, such as "The data set 'mine'".
    seconds : that it may take; by default those of `ended_after`.
    The result is made of data, specs, paths, arrays and plain values. Raises what `deed` raises where that is an error
    of mvarena, and PluginError for all else: another exception, the end of the process, too long a time.
    Cost: 5 to 20 ms, and a copy of the result.
    """
    if forking.is_fork or not hasattr(os, "fork"):
        return deed()

    def answer() -> bytes:
        with redirect_stdout(sys.stderr):
            try:
                _one_thread()
                return _pickled((True, deed()))
            except MvarenaError as error:
                return _pickled((False, _plain(error)))
            except BaseException as error:  # `sys.exit` among them
                return _pickled((False, PluginError(f"{what}: {_told(error)}.")))

    allowed = seconds or _SECONDS.get()
    ended = forked(answer, seconds=allowed)
    if ended.answer is None:
        hint = " Allow it more with --timeout." if ended.is_late and seconds is None else ""
        raise PluginError(f"{what}: {ended.fault}.{hint}")
    try:
        is_result, result = _Plain(io.BytesIO(ended.answer)).load()
    except Exception as error:
        raise PluginError(f"{what}: it returned something that cannot be used: {error}.") from error
    if is_result:
        return result
    if not isinstance(result, MvarenaError):
        raise PluginError(f"{what}: it returned something that cannot be used.")
    raise result


def function_apart(spec: Spec, catalog: Catalog) -> Callable[..., Any]:
    """The function behind `spec`; a plugin's is called in a fork."""
    function: Callable[..., Any] = catalog.load(spec)
    if is_own(spec.target):
        return function
    return lambda *values: apart(f"The {spec.component} '{spec.name}'", lambda: function(*values), CALL_S)


def _one_thread() -> None:
    """One thread of linear algebra and OpenMP: threads do not live on in a fork."""
    from threadpoolctl import ThreadpoolController

    ThreadpoolController().limit(limits=1)


def _plain(error: MvarenaError) -> MvarenaError:
    """`error`, or one with its text alone where it holds what cannot be taken over."""
    try:
        _Plain(io.BytesIO(_pickled(error))).load()
    except Exception:
        return MvarenaError(str(error))
    return error


def _pickled(value: object) -> bytes:
    """`value` as pickle itself writes it: libraries, such as Dask's, teach `copyreg` other ways to write exceptions."""
    stream = io.BytesIO()
    pickler = pickle.Pickler(stream, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = {}
    pickler.dump(value)
    return stream.getvalue()


def _told(error: BaseException) -> str:
    words = told_error(error)
    return f"it tried to exit the program ({words})" if isinstance(error, SystemExit) else words


class _Plain(pickle.Unpickler):
    """Makes objects of a few classes, and calls nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _OTHERS or module.startswith(_MODULES):
            result = super().find_class(module, name)
            if (module, name) in _OTHERS or isinstance(result, type):
                return result
        raise pickle.UnpicklingError(f"an object of {module}.{name}")
