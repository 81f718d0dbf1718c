"""Ordeal of data files that are not what they say."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.io import savemat

from benchmarks.ordeals import Line, line_of, ordeal


@ordeal
def files_that_lie(folder: Path, short: bool) -> Line:
    del short
    wrong = {}
    for name, (file, write_lie) in LIES.items():
        path = folder / file
        write_lie(path)
        command = [sys.executable, "-m", "mvarena", "data", "inspect", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
        sentence = done.stderr.strip()
        good = done.returncode == 1 and sentence.startswith("Error:") and "Traceback" not in sentence
        wrong[name] = [] if good and not (folder / "ran").exists() else [sentence[-300:]]
        path.unlink()
    return line_of("data files that are not what they say", wrong)


def _cut(path: Path) -> None:
    np.savez(path, view0=np.ones((5, 2)), labels=np.arange(5))
    path.write_bytes(path.read_bytes()[:-60])


def _pickled(path: Path) -> None:
    class Command:
        def __reduce__(self) -> Any:
            return os.system, (f"touch {path.parent}/ran",)

    np.savez(path, view0=np.array([Command()], dtype=object), allow_pickle=True)


def _header(shape: str) -> bytes:
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


def _member(name: str, content: bytes) -> Callable[[Path], None]:
    def write_archive(path: Path) -> None:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(name, content)

    return write_archive


def _linked(path: Path) -> None:
    import h5py

    with h5py.File(path.with_name("other.h5"), "w") as other:
        other["X"] = np.ones((5, 2))
    with h5py.File(path, "w") as file:
        file["X"] = h5py.ExternalLink("other.h5", "X")


def _stored_elsewhere(path: Path) -> None:
    import h5py

    path.with_name("raw").write_bytes(np.ones(10).tobytes())
    with h5py.File(path, "w") as file:
        file.create_dataset("X", (5, 2), "<f8", external=[(str(path.with_name("raw")), 0, 80)])


LIES: dict[str, tuple[str, Callable[[Path], None]]] = {
    "an empty .npz": ("a.npz", lambda path: path.write_bytes(b"") and None),
    "an empty .mat": ("a.mat", lambda path: path.write_bytes(b"") and None),
    "noise as .npz": ("b.npz", lambda path: path.write_bytes(os.urandom(5000)) and None),
    "noise as .mat": ("b.mat", lambda path: path.write_bytes(os.urandom(5000)) and None),
    "a .npz that is cut off": ("c.npz", _cut),
    "a pickled object": ("d.npz", _pickled),
    "a shape of 64 TiB": ("e.npz", _member("view0.npy", _header("(1099511627776, 8)"))),
    "a header that is nested without end": ("f.npz", _member("view0.npy", _header("(" * 9000 + ")" * 9000))),
    "a path out of the archive": ("g.npz", _member("../../ran.npy", _header("(1, 1)") + bytes(8))),
    "a text for numbers": ("j.mat", lambda path: savemat(path, {"X": "no numbers at all"})),
    "a link to another file": ("k.mat", _linked),
    "numbers that lie in another file": ("l.mat", _stored_elsewhere),
}
