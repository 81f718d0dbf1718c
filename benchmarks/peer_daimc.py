"""imml's DAIMC on one input, as JSON: its seconds, and ACC and NMI of k-means on what it finds.

Runs under an interpreter that has imml, numpy, scipy and scikit-learn; mvarena need not be there. `nmf_methods.py
--imml PYTHON` runs it beside ours. As shipped, the package starts from k-means with seed 42 whatever its
`random_state`, and clusters its V by one k-means run, which does take the seed. Here the start is given each seed of
the command line in turn, and V is clustered by 20 single runs.
"""

from __future__ import annotations

import functools
import json
import resource
import sys
import time
import warnings

import numpy as np
from imml.cluster import DAIMC
from peer_input import accuracy, views_and_classes
from sklearn.cluster import KMeans
from sklearn.metrics import normalized_mutual_info_score
from sklearn.preprocessing import normalize

RESTARTS = 20


def main() -> None:
    warnings.simplefilter("ignore")  # those of the package
    views, truth = views_and_classes(sys.argv[1])
    for X in views:
        observed = ~np.isnan(X).any(axis=1)
        X[observed] = normalize(X[observed])
    k = int(truth.max()) + 1
    start_of = DAIMC._new_init
    rows = []
    for seed in map(int, sys.argv[2:] or ["42"]):
        DAIMC._new_init = staticmethod(functools.partial(start_of, random_state=seed))
        before, clock = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
        V = np.asarray(
            DAIMC(n_clusters=k, alpha=1e-4, beta=1e4, random_state=0).fit([X.copy() for X in views]).embedding_
        )
        seconds, after = time.perf_counter() - clock, resource.getrusage(resource.RUSAGE_SELF)
        runs = [KMeans(k, n_init=1, random_state=restart).fit(V) for restart in range(RESTARTS)]
        rows.append(
            {
                "seed": seed,
                "wall": seconds,
                "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
                "acc": [accuracy(truth, run.labels_) for run in runs],
                "nmi": [float(normalized_mutual_info_score(truth, run.labels_)) for run in runs],
                "inertia": [float(run.inertia_) for run in runs],
            }
        )
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
