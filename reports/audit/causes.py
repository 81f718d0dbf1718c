"""Numbers in what methods' pages say of data on which they are below a baseline: the same data, one thing changed.

    python reports/audit/causes.py

fits each case of `CASES` with the defaults and with its change, prints NMI in percent of both, and ends with 1 where
one of them is not the stated one, to a point. Data are scaled by auto; methods have seed 0.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.metrics import normalized_mutual_info_score

import mvarena
from mvarena.registry.catalog import installed_catalog


@dataclass(frozen=True, kw_only=True)
class Case:
    """What a page states of a method on a data set: NMI by default and changed, in percent.

    params : of the method, where these are changed. steps : of the preparation. centred : whether each column has its
    mean taken off, after the scaling. other : another method, in place of a change.
    """

    method: str
    data: str
    default: int
    changed: int
    params: Mapping[str, Any] = field(default_factory=dict)
    steps: tuple[str, ...] = ("auto",)
    centred: bool = False
    other: str = ""


CASES = (
    Case(method="psimvc-pg", data="tcga-gbm-subtypes", default=16, changed=55, centred=True),
    Case(method="fimvc-via", data="wdbc", default=29, changed=57, centred=True),
    Case(method="dsnmf", data="synthetic3d", default=19, changed=57, centred=True),
    Case(method="emvc", data="tcga-gbm-subtypes", default=21, changed=61, other="rmsc"),
    Case(method="pic", data="wdbc", default=34, changed=52, params={"standardize": False}),
    Case(method="pic", data="synthetic3d", default=3, changed=88, params={"standardize": False}),
    Case(method="sc-concat", data="dermatology", default=74, changed=88, params={"reach": "nearest"}),
    Case(method="lrssc-pairwise", data="wdbc", default=38, changed=69, params={"kernel": "gaussian"}),
    Case(method="ecmsc", data="synthetic3d", default=36, changed=88,
         steps=("auto", "gaussian-kernel", "kernel-features")),
)  # fmt: skip
MARGIN = 1.0  # points


def nmi(method: str, case: Case | None, data: str) -> float:
    """NMI in percent of a method on a data set; case : what is changed, None: nothing."""
    steps = case.steps if case else ("auto",)
    views = mvarena.prepare(mvarena.load_dataset(data), *steps, for_=method)
    if case and case.centred:
        arrays = [view.matrix.toarray() if sparse.issparse(view.matrix) else view.matrix for view in views.views]
        views = mvarena.MultiViewData.from_arrays([one - one.mean(axis=0) for one in arrays], labels=views.labels)
    catalog = installed_catalog()
    params = dict(case.params) if case else {}
    model = catalog.load(catalog.algorithm(method))(n_clusters=views.n_clusters, random_state=0, **params)
    return 100 * float(normalized_mutual_info_score(views.labels, model.fit(views).labels_))


def main() -> int:
    """Print the cases; 1 where a number is not the stated one."""
    wrong = 0
    for case in CASES:
        found = nmi(case.method, None, case.data), nmi(case.other or case.method, case, case.data)
        differs = np.abs(np.subtract(found, (case.default, case.changed))).max() > MARGIN
        wrong += bool(differs)
        change = case.other or ", ".join(f"{key}={value}" for key, value in case.params.items())
        change = change or ("centred" if case.centred else ", ".join(case.steps))
        said = f" stated are {case.default} and {case.changed}" if differs else ""
        print(f"{case.method} on {case.data}: {found[0]:.0f}; {change}: {found[1]:.0f}{said}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
