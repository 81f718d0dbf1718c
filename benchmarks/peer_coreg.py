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
from peer_input import accuracy, filled_and_scaled, views_and_classes
from polyview.cluster import MultiViewCoRegSpectralClustering
from sklearn.metrics import normalized_mutual_info_score


def main() -> None:
    views, truth = views_and_classes(sys.argv[1])
    views, k = filled_and_scaled(views), int(truth.max()) + 1
    before = resource.getrusage(resource.RUSAGE_SELF)
    start = time.perf_counter()
    model = MultiViewCoRegSpectralClustering(n_clusters=k, n_init=20, random_state=0)
    labels = np.asarray(model.fit(views).labels_)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_SELF)
    print(
        json.dumps(
            {
                "represent": wall,
                "assign": 0.0,
                "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
                "squares": (after.ru_maxrss - before.ru_maxrss) * 1024 / (8 * len(truth) ** 2),
                "n_iter": int(model.n_iter_),
                "ended": "seconds are those of the whole fit",
                "acc": accuracy(truth, labels),
                "nmi": normalized_mutual_info_score(truth, labels),
            }
        )
    )


if __name__ == "__main__":
    main()
