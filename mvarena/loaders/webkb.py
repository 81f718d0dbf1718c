"""WebKB: web pages of four universities, as words and as links between them.

Source: the LINQS selection (http://www.cs.umd.edu/projects/linqs/projects/lbc/) as C. Grimal packs it
(http://lig-membres.imag.fr/grimal/data.html): one .tar.gz per university with Matrix Market files.
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from scipy import sparse
from scipy.io import mmread

from mvarena.data import MultiViewData
from mvarena.errors import InvalidData
from mvarena.loaders.archives import read_members
from mvarena.loaders.carded import Files
from mvarena.loaders.compact import compact

VIEWS = ("content", "cites", "inbound", "outbound")
_LARGEST_FILE = 1 << 24


def read_cornell(files: Files) -> MultiViewData:
    """195 pages of Cornell; papers use webkb-cornell[content,cites]."""
    return _university("webkb-cornell", "cornell", files["Cornell.tar.gz"])


def read_texas(files: Files) -> MultiViewData:
    """187 pages of Texas; papers use webkb-texas[content,cites]."""
    return _university("webkb-texas", "texas", files["Texas.tar.gz"])


def read_washington(files: Files) -> MultiViewData:
    """230 pages of Washington; papers use webkb-washington[content,cites]."""
    return _university("webkb-washington", "washington", files["Washington.tar.gz"])


def read_wisconsin(files: Files) -> MultiViewData:
    """265 pages of Wisconsin; papers use webkb-wisconsin[content,cites]."""
    return _university("webkb-wisconsin", "wisconsin", files["Wisconsin.tar.gz"])


def _university(name: str, stem: str, archive: Path) -> MultiViewData:
    matrices = {view: f"{stem}_{view}.mtx" for view in VIEWS}
    topics = f"{stem}_act.txt"
    members = read_members(archive, [*matrices.values(), topics, "labels.txt"], _LARGEST_FILE)
    classes = members["labels.txt"].decode("utf-8").split()
    codes = np.array(members[topics].decode("utf-8").split(), dtype=np.int64)
    if not 1 <= codes.min() <= codes.max() <= len(classes):
        raise InvalidData(f"{archive}: {topics} names a class that labels.txt does not list.")
    arrays = [compact(sparse.csr_array(mmread(io.BytesIO(members[file])))) for file in matrices.values()]
    labels = np.array(classes)[codes - 1]
    return MultiViewData.from_arrays(arrays, labels=labels, name=name, view_names=VIEWS)
