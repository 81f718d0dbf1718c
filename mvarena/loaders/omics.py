"""Medical data sets that take more than a layout: TCGA's glioblastomas with classes of another file, and wdbc."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.data import MultiViewData
from mvarena.errors import InvalidData
from mvarena.loaders.dataset import Files
from mvarena.loaders.layout import Table, matrix_at
from mvarena.loaders.places import Places

_GBM_VIEWS = {"methylation": "GLIO_Methy_Expression.csv", "mirna": "GLIO_Mirna_Expression.csv"}
_SAME_TUMOUR = 0.9  # correlation of 443 microRNAs: at least 0.951 for the same tumour, at most 0.773 for others
_WDBC = "6b202a2072f9a0385f405a8f8605b1b0"  # start of the sha256 of the numbers


def read_tcga_gbm(files: Files) -> MultiViewData:
    """215 tumours of 213 patients with glioblastoma: methylation and microRNA; classes of 158 of them.

    Source: B. Wang et al., "Similarity network fusion for aggregating data types on a genomic scale", Nature Methods 11
    (2014). Those of its tumours that are in tcga-gbm-subtypes, too, have Verhaak's classes from there.
    """
    places = Places("tcga-gbm", files)
    tables = [matrix_at(places, name) for name in _GBM_VIEWS.values()]
    first, second = ([str(name).strip('"').replace(".", "-")[:12] for name in table.rows] for table in tables)
    if first != second:
        raise InvalidData(f"{files[_GBM_VIEWS['mirna']]} lists other patients than {files[_GBM_VIEWS['methylation']]}.")
    subtypes = "STATegRa_S1.rda"
    return MultiViewData.from_arrays(
        [table.matrix for table in tables],
        labels=_classes(tables[1], matrix_at(places, f"{subtypes}:Block2"), places.value(f"{subtypes}:ed$classname")),
        name="tcga-gbm",
        view_names=tuple(_GBM_VIEWS),
    )


def _classes(mirna: Table, block: Table, classes: Any) -> NDArray[Any]:
    """(n,) class of each tumour, None where it has none.

    The samples of the other file have no names: a tumour is the one whose microRNAs, standardised within each file,
    are correlated with its own.
    """
    named = {name: row for row, name in enumerate(block.rows)}
    shared = [column for column, name in enumerate(mirna.columns) if name in named]
    ours = _standardised(mirna.matrix[:, shared])
    theirs = _standardised(block.matrix[[named[mirna.columns[column]] for column in shared]].T)
    correlation = ours @ theirs.T
    nearest = correlation.argmax(axis=1)
    known = np.asarray(classes, dtype=object)[nearest]
    known[correlation.max(axis=1) < _SAME_TUMOUR] = None
    return known


def _standardised(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Columns with mean 0 and variance 1, then rows with mean 0 and length 1."""
    columns = (values - values.mean(axis=0)) / values.std(axis=0)
    rows = columns - columns.mean(axis=1, keepdims=True)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def read_wdbc(files: Files) -> MultiViewData:
    """569 breast masses in three views of ten measurements, as scikit-learn has them."""
    from sklearn.datasets import load_breast_cancer

    del files  # there are none
    content = load_breast_cancer()
    numbers = np.ascontiguousarray(content.data, dtype="<f8")
    if not hashlib.sha256(numbers.tobytes()).hexdigest().startswith(_WDBC):
        raise InvalidData("The breast cancer data of this scikit-learn have other numbers; install another release.")
    return MultiViewData.from_arrays(
        [numbers[:, :10], numbers[:, 10:20], numbers[:, 20:]],
        labels=content.target_names[content.target],
        name="wdbc",
        view_names=("mean", "error", "worst"),
    )
