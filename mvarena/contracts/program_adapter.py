"""A program in any language as a contestant: it is started anew for each trial, in a folder of its own."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.program import Program
from mvarena.contracts.program_files import Task, as_text, read_output, write_input
from mvarena.contracts.sklearn_adapter import checked_labels
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.data import MultiViewData
from mvarena.errors import Incompatible, PluginError
from mvarena.files import temporary_folder
from mvarena.system.programs import ProgramEnd, run_program

_SEEDS = 2**31  # R and Octave take seeds below
_LAST_LINES = 5
_OUT_OF_MEMORY = re.compile(r"out of memory|MemoryError|cannot allocate (memory|vector)|bad_alloc", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\{(input|output|folder|seed|clusters|param\.\w+)\}")


class ProgramClusterer(MultiViewClusterer):
    """Base of the classes that `program_class` makes; `program` is the program inside."""

    program: ClassVar[Program]
    canonical: ClassVar[bool] = True

    def check(self, data: MultiViewData) -> int:
        n_clusters = super().check(data)
        reason = missing_program(self.program)
        if reason:
            raise Incompatible(reason)
        return n_clusters

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        program = self.program
        seed = np.random.SeedSequence().entropy if self.random_state is None else self.random_state
        params = {item.name: getattr(self, item.name) for item in program.parameters}
        task = Task(data, n_clusters, int(seed) % _SEEDS, params)  # type: ignore[arg-type]  # one number, drawn
        with temporary_folder() as name:
            folder = Path(name)
            given, output = write_input(program, task, folder), folder / f"output.{program.format}"
            command = _filled(program, task, given, output)
            ended = run_program(command, folder, dict(os.environ) | {"TMPDIR": name})
            sys.stdout.write(ended.stdout)
            sys.stderr.write(ended.stderr)
            _require_success(program, ended)
            found = read_output(program, output)
        return _representation(program, found, data.n_samples)

    def __reduce__(self) -> Any:
        return _rebuilt, (self.program, self.spec, vars(self))


@cache
def program_class(program: Program, spec: AlgorithmSpec) -> type[ProgramClusterer]:
    """A contestant that runs `program`, with its parameters.

    It has no digest of source: the program's own files are in the version of `spec`. Samples come in an order of their
    values.
    """
    name = "".join(part.capitalize() for part in program.name.split("-"))
    body: dict[str, Any] = {"program": program, "spec": spec, "__module__": __name__, "__qualname__": f"<{name}>"}
    body["__doc__"] = _described(program, spec)
    body["__annotations__"] = {item.name: item.declared for item in program.parameters}
    defaults = {item.name: item.default for item in program.parameters}
    return type(name, (ProgramClusterer,), body | defaults)


def missing_program(program: Program) -> str:
    """Sentence that names the program to install, '' if it can be started."""
    name = program.command[0].replace("{folder}", str(program.file.parent))
    if shutil.which(_located(program, name)):
        return ""
    where = "cannot be run" if _is_path(name) else "is not found on the PATH"
    todo = f"build it with: {program.install}" if program.install else f"install it, or correct {program.file}"
    todo += " (--rerun skipped then runs the skipped trials)"
    return f"{program.name} needs {name}, which {where}; {todo}."


def _is_path(name: str) -> bool:
    return "/" in name or name.startswith("~")


def _located(program: Program, name: str) -> str:
    """Path of a program that is given as one, relative to the file that names it; any other name as it is."""
    return str(program.file.parent / Path(name).expanduser()) if _is_path(name) else name


def _filled(program: Program, task: Task, given: Path, output: Path) -> list[str]:
    """The command of one call. Braces that hold no known name stay, as in X{1}."""
    values = {"input": str(given), "output": str(output), "folder": str(_folder(program, given.parent))}
    values |= {"seed": str(task.seed), "clusters": str(task.n_clusters)}
    values |= {f"param.{name}": as_text(value) for name, value in task.params.items()}
    name, *arguments = [_PLACEHOLDER.sub(lambda found: values[found[1]], text) for text in program.command]
    return [_located(program, name), *arguments]


def _folder(program: Program, scratch: Path) -> Path:
    """The program's folder; by a link without quotation marks, which would end a text within its command."""
    folder = program.file.parent
    if not set("'\"") & set(str(folder)):
        return folder
    link = scratch / "program"
    link.symlink_to(folder, target_is_directory=True)
    return link


def _require_success(program: Program, ended: ProgramEnd) -> None:
    if ended.code == 0:
        return
    said = _last_words(ended.stderr if ended.stderr.strip() else ended.stdout)
    if _OUT_OF_MEMORY.search(said):
        raise MemoryError(f"{program.name}: {said}")
    how = f"exit code {ended.code}" if ended.code > 0 else f"signal {_signal(-ended.code)}"
    raise PluginError(f"{program.name} ended with {how}{f': {said}' if said else ' and printed nothing'}")


def _last_words(text: str) -> str:
    """The last lines of a text, of a traceback of Python the error alone."""
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    starts = [number for number, line in enumerate(lines) if line.startswith("Traceback (most recent call last)")]
    if starts:
        lines = [line for line in lines[starts[-1] + 1 :] if not line.startswith(" ")]
    return " | ".join(line.strip() for line in lines[-_LAST_LINES:])


def _signal(number: int) -> str:
    return signal.Signals(number).name if number in signal.valid_signals() else str(number)


def _representation(program: Program, found: NDArray[Any], n: int) -> Representation:
    if program.writes == "labels":
        return Representation(labels=checked_labels(found.ravel() if 1 in found.shape else found, n, program.name))
    shape = " x ".join(map(str, found.shape))
    square = f"{n} x {n}" if program.writes == "affinity" else f"{n} rows, one for each sample"
    fits = found.ndim == 2 and len(found) == n and (program.writes != "affinity" or found.shape == (n, n))
    if not fits:
        raise PluginError(f"{program.name} returned a {program.writes} of shape {shape}; it must have {square}.")
    if found.dtype.kind not in "biuf":
        raise PluginError(f"{program.name} returned a {program.writes} of type {found.dtype}; return real numbers.")
    values = found.astype(np.float64)
    return Representation(affinity=values) if program.writes == "affinity" else Representation(embedding=values)


def _described(program: Program, spec: AlgorithmSpec) -> str:
    words = f"Runs: {' '.join(program.command)}"
    lines = [
        f"{item.name} : {program.about.get(item.name, 'a parameter of the program')}" for item in program.parameters
    ]
    settings = ["Parameters", "----------", *lines, ""] if lines else []
    return "\n".join([spec.summary, "", *settings, words])


def _rebuilt(program: Program, spec: AlgorithmSpec, state: dict[str, Any]) -> ProgramClusterer:
    made = program_class(program, spec)()
    made.__dict__.update(state)
    return made
