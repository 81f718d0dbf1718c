"""A healthy algorithm that looks at all that another one could have changed."""

from __future__ import annotations

import gc
import locale
import os
import random
import signal
import sys
import tempfile
import warnings
import zlib

import numpy as np
import sklearn
from scipy import linalg, special
from threadpoolctl import threadpool_info

from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.data import MultiViewData
from mvarena.engine import scoring
from mvarena.metrics import external
from mvarena.numerics.iteration import History, Stopping


class Witness(MultiViewClusterer):
    """Its objective is one number for each thing around it, so that any change shows in what is stored."""

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        first = data.views[0].matrix
        dense = first.toarray() if data.views[0].is_sparse else np.asarray(first)
        history = History(Stopping(max_iter=1000))
        for value in (*_numbers(dense), *_process()):
            history.add(value)
        return Representation(embedding=dense, history=history)


def _numbers(dense: np.ndarray) -> list[float]:
    values = linalg.svd(dense, compute_uv=False)
    product = np.dot(dense.T, dense).sum()
    return [float(dense.sum()), float(values[0]), float(product), np.random.rand(), random.random(), float(len("four"))]  # noqa: NPY002


def _process() -> list[float]:
    handlers = [str(signal.getsignal(number)) for number in sorted(signal.valid_signals())]
    # the folder for temporary files is each worker's own
    environment = sorted((name, value) for name, value in os.environ.items() if name not in ("TMPDIR", "TEMP", "TMP"))
    found = (
        os.getcwd(), environment, handlers, signal.getitimer(signal.ITIMER_REAL)[0] > 0,
        sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])), np.geterr(), len(warnings.filters), gc.isenabled(),
        sys.getrecursionlimit(), locale.setlocale(locale.LC_ALL), sklearn.get_config()["assume_finite"],
        sorted({pool["num_threads"] for pool in threadpool_info()}), sorted(os.sched_getaffinity(0)),
        os.getpriority(os.PRIO_PROCESS, 0), sys.gettrace() is None, len(sys._current_frames()), sys.stdout is None,
        tempfile.gettempdir() == os.environ.get("TMPDIR"), special.geterr(), (np.array([1e-310]) * 1.0).tolist(),
        sorted(scoring._INPUTS), len(vars(external)) > 9,
    )  # fmt: skip
    return [float(zlib.crc32(repr(one).encode())) for one in found]
