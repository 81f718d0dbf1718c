"""TCGA cohorts: patients with several measurements of a tumour each, and no classes.

Source: B. Wang et al., "Similarity network fusion for aggregating data types on a genomic scale", Nature Methods 11
(2014); the files GLIO_*.csv that circulate with it, a row per patient, whose id stands in the first column.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mvarena.data import MultiViewData
from mvarena.errors import InvalidData
from mvarena.loaders.dataset import Files

_GBM_VIEWS = {"methylation": "GLIO_Methy_Expression.csv", "mirna": "GLIO_Mirna_Expression.csv"}
_GBM_CLUSTERS = 3  # that the paper finds: what is looked for unless a study says otherwise


def read_tcga_gbm(files: Files) -> MultiViewData:
    """215 tumours of 213 patients with glioblastoma: methylation and microRNA, no classes."""
    tables = {view: _numbers_by_patient(files[name]) for view, name in _GBM_VIEWS.items()}
    (first, patients), *others = [(view, ids) for view, (ids, _) in tables.items()]
    for view, ids in others:
        if ids != patients:
            raise InvalidData(f"{files[_GBM_VIEWS[view]]} lists other patients than {files[_GBM_VIEWS[first]]}.")
    return MultiViewData.from_arrays(
        [matrix for _, matrix in tables.values()],
        name="tcga-gbm",
        view_names=tuple(tables),
        n_clusters=_GBM_CLUSTERS,
    )


def _numbers_by_patient(path: Path) -> tuple[list[str], NDArray[np.float64]]:
    """Patients and their numbers, of a table with features in its first row and TCGA barcodes in its first column.

    The first twelve letters of a barcode are the patient ('TCGA-02-0001'); dots may stand for dashes.
    """
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    try:
        patients = [row[0].strip('"').replace(".", "-")[:12] for row in rows]
        return patients, np.array([row[1:] for row in rows], dtype=np.float64)
    except (IndexError, ValueError) as error:
        raise InvalidData(f"{path} is not a table of numbers with an id in each row: {error}.") from error
