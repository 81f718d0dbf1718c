"""Data sets memory-mapped from the user's cache: read once, then opened in milliseconds and shared by processes.

An entry is a folder `prepared/<name>/<key>` with one .npy file per array and a manifest. The key covers the
checksums of the original files and the module that reads them, so a change of either makes a new entry and the old
one is removed. The cache is never needed: what cannot be opened is read again, what cannot be written is left out.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from mvarena import __version__
from mvarena.cache.folder import cache_root, files_digest
from mvarena.data import Matrix, MultiViewData, View
from mvarena.errors import InvalidData

_MANIFEST = "manifest.json"
_HERE = Path(__file__)
_FORM = (  # how data are made of an entry
    _HERE,
    *(_HERE.parents[1] / name for name in ("data.py", "fingerprint.py", "samples.py")),
)


def _file_of(target: str) -> tuple[Path, ...]:
    """The file of the module of "package.module:attribute"; none where there is none."""
    try:
        spec = find_spec(target.partition(":")[0])
    except ImportError:  # of the package: whoever reads says so
        return ()
    return (Path(spec.origin),) if spec and spec.origin and Path(spec.origin).is_file() else ()


def mapped(name: str, parts: Iterable[str], reader: str, read: Callable[[], MultiViewData]) -> MultiViewData:
    """The data that `read` returns, from the cache if an entry of these `parts` is there.

    name : the folder of the entry; entries of the same name replace each other.
    parts : what identifies the content, such as the sha256 of each file.
    reader : where the code of `read` is, as "package.module:attribute"; another content of that module is another
        entry. Cost: one pass over the entries.
    """
    made_by = [__version__, np.__version__, files_digest((*_FORM, *_file_of(reader)))]
    key = hashlib.sha256(json.dumps([*made_by, *parts]).encode()).hexdigest()[:32]
    folder = cache_root() / "prepared" / name / key
    result = _opened(folder)
    if result is not None:
        return result
    data = read()
    with suppress(OSError):  # a cache that cannot be written costs time, never correctness
        _store(data, folder)
        return _opened(folder) or data
    return data


def _opened(folder: Path) -> MultiViewData | None:
    """The entry in `folder`; None if there is none, or none that can be read."""
    try:
        manifest = json.loads((folder / _MANIFEST).read_text("utf-8"))
        views = tuple(
            View(view["name"], _map_matrix(folder, i, view["shape"], view["sparse"]), view["kind"])
            for i, view in enumerate(manifest["views"])
        )
        labels = _map(folder, "labels") if manifest["classes"] is not None else None
        classes = None if manifest["classes"] is None else tuple(manifest["classes"])
        mask = _map(folder, "mask")
        known = {"n_clusters": manifest["n_clusters"], "classes": classes, "ids": manifest["ids"]}
        data = MultiViewData(manifest["name"], views, mask=mask, labels=labels, **known)
        # digests are cached properties of immutable content: filling them in spares hashing all of it again
        data.__dict__["fingerprint"] = str(manifest["fingerprint"])
        data.__dict__["view_digests"] = tuple(str(view["digest"]) for view in manifest["views"])
    except (OSError, EOFError, ValueError, KeyError, TypeError, InvalidData):  # absent, cut off, being replaced
        return None
    return data


def _map(folder: Path, name: str) -> Any:
    return np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False))


def _map_matrix(folder: Path, index: int, shape: list[int], is_sparse: bool) -> Matrix:
    if not is_sparse:
        return _map(folder, f"view{index}")
    parts = tuple(_map(folder, f"view{index}-{part}") for part in ("data", "indices", "indptr"))
    return sparse.csr_array(parts, shape=tuple(shape))


def _store(data: MultiViewData, folder: Path) -> None:
    """Write an entry beside its place, then move it there whole; older entries (and a damaged one) go."""
    arrays: dict[str, Any] = {"mask": data.mask}
    if data.labels is not None:
        arrays["labels"] = data.labels
    for i, view in enumerate(data.views):
        if view.is_sparse:
            matrix = view.matrix
            arrays |= {
                f"view{i}-data": matrix.data,
                f"view{i}-indices": matrix.indices,
                f"view{i}-indptr": matrix.indptr,
            }
        else:
            arrays[f"view{i}"] = view.matrix
    folder.parent.mkdir(parents=True, exist_ok=True)
    older = [entry for entry in folder.parent.iterdir() if not entry.name.startswith(".new-")]
    fresh = Path(tempfile.mkdtemp(prefix=".new-", dir=folder.parent))
    try:
        for name, array in arrays.items():
            np.save(fresh / f"{name}.npy", array, allow_pickle=False)
        (fresh / _MANIFEST).write_text(json.dumps(_manifest(data)), "utf-8")
        for entry in older:
            shutil.rmtree(entry, ignore_errors=True)
        with suppress(OSError):  # another process was faster: its entry is as good
            os.rename(fresh, folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _manifest(data: MultiViewData) -> dict[str, Any]:
    return {
        "name": data.name,
        "fingerprint": data.fingerprint,
        "n_clusters": data.n_clusters,
        "classes": None if data.classes is None else list(data.classes),
        "ids": None if data.ids is None else list(data.ids),
        "views": [
            {
                "name": view.name,
                "kind": view.kind,
                "sparse": view.is_sparse,
                "shape": list(view.matrix.shape),
                "digest": digest,
            }
            for view, digest in zip(data.views, data.view_digests, strict=True)
        ],
    }
