"""Texts: 3Sources (news stories, naturally incomplete) and WebKB (web pages of four universities).

Source: D. Greene and P. Cunningham, "A Matrix Factorization Approach for Integrating Multiple Data Views",
ECML PKDD 2009; files from http://mlg.ucd.ie/datasets/3sources.html.
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.io import mmread

from mvarena.data import MultiViewData
from mvarena.errors import InvalidData
from mvarena.loaders.dataset import Files
from mvarena.loaders.download import read_members
from mvarena.readers.limits import compact

VIEWS = ("bbc", "guardian", "reuters")


def read_3sources(files: Files) -> MultiViewData:
    """All 416 stories; a source that did not report a story misses it. Row i is story i + 1."""
    return _stories("3sources", files)


def read_3sources_complete(files: Files) -> MultiViewData:
    """The 169 stories that all three sources reported, in the same order."""
    stories = _stories("3sources-complete", files)
    return stories.take(np.flatnonzero(stories.complete_samples))


def _stories(name: str, files: Files) -> MultiViewData:
    topics = _read_topics(files["3sources.disjoint.clist"])
    stories = sorted(topics)
    row_of = {story: row for row, story in enumerate(stories)}
    arrays = []
    mask = np.zeros((len(stories), len(VIEWS)), dtype=bool)
    for i, view in enumerate(VIEWS):
        counts, rows = _read_source(files[f"3sources_{view}.mtx"], files[f"3sources_{view}.docs"], row_of)
        arrays.append(_spread_rows(counts, rows, len(stories)))
        mask[rows, i] = True
    labels = np.array([topics[story] for story in stories])
    return MultiViewData.from_arrays(arrays, mask=mask, labels=labels, name=name, view_names=VIEWS)


def _read_topics(path: Path) -> dict[str, str]:
    """Story id -> topic, from lines such as `business: 001,013`."""
    topics: dict[str, str] = {}
    for line in path.read_text("utf-8").splitlines():
        topic, _, stories = line.partition(":")
        topics.update(dict.fromkeys((story.strip() for story in stories.split(",") if story.strip()), topic.strip()))
    return topics


def _read_source(matrix: Path, stories: Path, row_of: dict[str, int]) -> tuple[sparse.csr_array, NDArray[np.int64]]:
    """One source's counts (its stories x terms) and the row of each of its stories."""
    ids = stories.read_text("utf-8").split()
    counts = sparse.csr_array(sparse.csr_array(mmread(matrix)).T, dtype=np.float64)
    if counts.shape[0] != len(ids):
        raise InvalidData(f"{matrix} has {counts.shape[0]} columns and {stories} names {len(ids)} stories.")
    return counts, np.array([row_of[story] for story in ids])


def _spread_rows(counts: sparse.csr_array, rows: NDArray[np.int64], n: int) -> sparse.csr_array:
    """`counts` with its row i moved to row rows[i] of n, the others empty."""
    entries = counts.tocoo()
    return sparse.csr_array((entries.data, (rows[entries.row], entries.col)), shape=(n, counts.shape[1]))


# WebKB: web pages of four universities, as words and as links between them.
#
# Source: the LINQS selection (http://www.cs.umd.edu/projects/linqs/projects/lbc/) as C. Grimal packs it
# (http://lig-membres.imag.fr/grimal/data.html): one .tar.gz per university with Matrix Market files.

WEBKB_VIEWS = ("content", "cites", "inbound", "outbound")
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
    matrices = {view: f"{stem}_{view}.mtx" for view in WEBKB_VIEWS}
    topics = f"{stem}_act.txt"
    members = read_members(archive, [*matrices.values(), topics, "labels.txt"], _LARGEST_FILE)
    classes = members["labels.txt"].decode("utf-8").split()
    codes = np.array(members[topics].decode("utf-8").split(), dtype=np.int64)
    if not 1 <= codes.min() <= codes.max() <= len(classes):
        raise InvalidData(f"{archive}: {topics} names a class that labels.txt does not list.")
    arrays = [compact(sparse.csr_array(mmread(io.BytesIO(members[file])))) for file in matrices.values()]
    labels = np.array(classes)[codes - 1]
    return MultiViewData.from_arrays(arrays, labels=labels, name=name, view_names=WEBKB_VIEWS)
