"""One fit of polyview's co-regularised spectral clustering, its defaults with 20 k-means starts, as JSON.

Runs under an interpreter that has polyview, numpy, scipy and scikit-learn; mvarena need not be there. `graph_methods.py
--polyview PYTHON` runs it beside ours.
"""

from __future__ import annotations

import json
import resource
import sys
import time

import numpy as np
from polyview.cluster import MultiViewCoRegSpectralClustering
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import normalized_mutual_info_score


def main() -> None:
    with np.load(sys.argv[1], allow_pickle=False) as stored:
        names = sorted((name for name in stored if name[0] == "X" and name[1:].isdigit()), key=lambda x: int(x[1:]))
        views = [np.array(stored[name], dtype=np.float64) for name in names]
        truth = stored["y"]
    views = [np.where(np.isnan(X), np.nanmean(X, axis=0), X) for X in views]
    views = [(X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0) for X in views]
    k = len(np.unique(truth))
    before = resource.getrusage(resource.RUSAGE_SELF)
    start = time.perf_counter()
    model = MultiViewCoRegSpectralClustering(n_clusters=k, n_init=20, random_state=0)
    labels = np.asarray(model.fit(views).labels_)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_SELF)
    codes = np.unique(truth, return_inverse=True)[1]
    counts = np.zeros((k, k))
    np.add.at(counts, (codes, labels), 1)
    print(
        json.dumps(
            {
                "represent": wall,
                "assign": 0.0,
                "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
                "squares": (after.ru_maxrss - before.ru_maxrss) * 1024 / (8 * len(truth) ** 2),
                "n_iter": int(model.n_iter_),
                "ended": "seconds are those of the whole fit",
                "acc": float(counts[linear_sum_assignment(-counts)].sum() / len(truth)),
                "nmi": normalized_mutual_info_score(truth, labels),
            }
        )
    )


if __name__ == "__main__":
    main()
