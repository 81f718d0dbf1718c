"""What pages say of single fits: objectives of rNNMF, MultiNMF from several starts, the weights of EE-IMVC."""

from __future__ import annotations

from typing import Any
from unittest import mock

import numpy as np

from benchmarks import inputs
from benchmarks.harness import case
from benchmarks.watch import Watch

_ALPHAS = [0.0001, 0.05, 1.0]


@case(
    "multinmf-starts", group="methods",
    grid={"data": ["digits[fou,fac]"], "start": ["NNDSVD", "random"]},
    quick={"data": ["digits[fou,fac]"], "start": ["random"], "n": [200], "rounds": [2], "n_random": [1]},
)  # fmt: skip
def multinmf_starts(
    watch: Watch, data: str, start: str, rounds: int = 30, steps: int = 200, n_random: int = 3, n: int | None = None
) -> dict[str, Any]:
    """MultiNMF with the iterations of its authors' package; its first factorisations start from NNDSVD or random ones.

    The best ACC of ten k-means runs, for each start.
    """
    import mvarena
    from mvarena.algorithms.nmf import multinmf as module
    from mvarena.numerics.assignment import assign_embedding
    from mvarena.numerics.iteration import Stopping
    from mvarena.numerics.nmf import nndsvd

    given = inputs.load(data, n)
    k, prepared = given.n_clusters, mvarena.prepare(given.without_labels(), "paper", for_="multinmf")
    truth = np.unique(given.labels, return_inverse=True)[1]
    views = [view.matrix / float(view.matrix.sum()) for view in prepared.views]
    best = []
    for seed in range(1 if start == "NNDSVD" else n_random):
        rng = np.random.default_rng(seed)

        def drawn(X: Any, k: int, rng: Any = rng, **_: Any) -> tuple[Any, Any]:
            return rng.random((X.shape[0], k)), rng.random((X.shape[1], k))

        with watch(f"start {seed}"):
            with mock.patch.object(module, "nndsvd", nndsvd if start == "NNDSVD" else drawn):
                U, V = module.chained_starts(views, k, steps)
            stopping = Stopping(rounds, 0.0)
            found = module.multinmf(views, U, V, V[0], stopping, weights=[0.01] * len(views), steps=steps)
        runs = assign_embedding(found.consensus, k, range(10))
        best.append(100 * max(inputs.accuracy(truth, run.labels) for run in runs))
    return {"iterations": rounds, "best ACC of 10 runs": " / ".join(f"{value:.1f}" for value in best)}


@case("rnnmf-scale", group="methods", grid={"max_iter": [1000]}, quick={"max_iter": [20]})
def rnnmf_scale(watch: Watch, max_iter: int, alpha: float = 0.05, t: float = 100.0) -> dict[str, Any]:
    """Eq. 4 of rNNMF on the BBC view as stored: at the end of the fit with alpha, and at (t W, H / t) of that with 0.

    The second is lower where the constraint does not hold the scale of the factors.
    """
    X = _bbc_view("none")
    with watch("alpha"):
        own = _rnnmf(X, alpha, max_iter)
    with watch("alpha = 0"):
        free = _rnnmf(X, 0.0, max_iter)
    return {
        "Eq. 4": f"{_equation_4(X, own.W, own.H, alpha):.4f}",
        "Eq. 4 at (t W, H / t) of alpha = 0": f"{_equation_4(X, free.W * t, free.H / t, alpha):.4f}",
    }


@case(
    "rnnmf-smoothing", group="methods",
    grid={"prepare": ["minmax", "tfidf,unit-rows"], "alpha": _ALPHAS},
    quick={"prepare": ["minmax"], "alpha": _ALPHAS[:1]},
)  # fmt: skip
def rnnmf_smoothing(watch: Watch, prepare: str, alpha: float, max_iter: int = 100) -> dict[str, Any]:
    """Eq. 4 of rNNMF, as printed, on the BBC view at the end of fits with several shares of smoothing; 0 is none."""
    X = _bbc_view(prepare)
    found = {}
    for share in (0.0, 0.01, 0.1):
        with watch(f"share {share}"):
            end = _rnnmf(X, alpha, max_iter, share)
        found[f"Eq. 4, share {share}"] = f"{_equation_4(X, end.W, end.H, alpha):.4f}"
    return found


@case("eeimvc-ranks", group="methods", grid={"prepare": ["scale-auto", "unit-rows"]}, quick={"prepare": ["unit-rows"]})
def eeimvc_ranks(watch: Watch, prepare: str, data: str = "wikipedia") -> dict[str, Any]:
    """EE-IMVC on complete data: per view the rank after centring, the weight, and k-means on the view alone.

    A view of fewer dimensions than clusters gives a base partition with columns of zeros, and so a smaller weight. NMI
    is the mean of five k-means runs.
    """
    from sklearn.metrics import normalized_mutual_info_score

    import mvarena
    from mvarena.algorithms import EEIMVC
    from mvarena.numerics.assignment import assign_embedding

    given = inputs.load(data)
    k, prepared = given.n_clusters, mvarena.prepare(given.without_labels(), prepare)
    truth = np.unique(given.labels, return_inverse=True)[1]

    def mean_nmi(runs: Any) -> str:
        return f"{np.mean([100 * normalized_mutual_info_score(truth, run.labels) for run in runs]):.1f}"

    views = [np.asarray(view.matrix) for view in prepared.views]
    with watch("fit"):
        found = EEIMVC(n_clusters=k, random_state=0).represent(prepared)
    centred = [X - X.mean(axis=0) for X in views]
    return {
        "clusters": k,
        "ranks": " / ".join(str(np.linalg.matrix_rank(X, tol=1e-8 * np.linalg.norm(X))) for X in centred),
        "weights": " / ".join(f"{weight:.2f}" for weight in found.details["weights"]),
        "NMI": mean_nmi(found.assign(k, range(5))),
        "NMI of each view": " / ".join(mean_nmi(assign_embedding(X, k, range(5))) for X in views),
    }


def _bbc_view(prepare: str) -> Any:
    """(169, d) the BBC view of 3sources-complete, prepared, and divided by its largest entry as the method does."""
    import mvarena

    data = mvarena.prepare(inputs.load("3sources-complete[bbc]").without_labels(), prepare, for_="rnnmf")
    return data.views[0].matrix / data.views[0].matrix.max()


def _rnnmf(X: Any, alpha: float, max_iter: int, smoothing: float = 0.0) -> Any:
    from mvarena.algorithms.nmf.rnnmf import rnnmf
    from mvarena.numerics.iteration import Stopping
    from mvarena.numerics.nmf import nndsvd

    H, W = nndsvd(X, 20)
    return rnnmf(X, W, H, Stopping(max_iter, 0.0), alpha=alpha, smoothing=smoothing)


def _equation_4(X: Any, W: Any, H: Any, alpha: float) -> float:
    """|X - W H|_{2,1} + alpha |H R|_{2,1}, R of the nearest rows of H."""
    from mvarena.algorithms.nmf.rnnmf import gap_lengths, residual_lengths
    from mvarena.numerics.kernels import squared_norms
    from mvarena.numerics.neighbours import nearest_other_row

    residuals = residual_lengths(squared_norms(X), np.asarray(X @ W), W, H)
    return float(residuals.sum() + alpha * gap_lengths(H, nearest_other_row(H)).sum())
