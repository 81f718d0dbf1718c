"""Every contestant as a user has it, data in and representation out, against the numbers of its authors' program.

The classes get data, masks and parameters as a user gives them; what they do not show is compared in the files of the
methods. Where a program starts from numbers of its own, or takes the data as they are where ours brings the views to
one size, that alone is replaced.
"""

from __future__ import annotations

import copy
import dataclasses
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from comparisons import projector
from golden_numbers import golden_numbers
from pic_weights import pic_weights
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from threadpoolctl import threadpool_limits

from mvarena import algorithms
from mvarena.algorithms.kernel.lf_imvc import lf_imvc
from mvarena.algorithms.kernel.mkkm import MKKMAF, MKKMMF, MKKMZF
from mvarena.algorithms.kernel.one_stage import OneStageClusterer
from mvarena.algorithms.kernel.partition import published_stopping
from mvarena.algorithms.subspace.coefficients import joint_affinity
from mvarena.contracts.algorithm import Representation
from mvarena.data import MultiViewData, View
from mvarena.numerics.kernels import center_and_normalize, gaussian, squared_distances
from mvarena.numerics.scaling import unit_rows
from mvarena.testing.comparisons import same_partition

VIEWS = range(3)
Golden = dict[str, Any]


def features(golden: Golden, *, mask: bool = True) -> MultiViewData:
    seen = golden["mask"].astype(bool) if mask and "mask" in golden else None
    return MultiViewData.from_arrays([golden[f"X{v}"] for v in VIEWS], mask=seen, n_clusters=3)


def of_kernels(kernels: list[np.ndarray], mask: np.ndarray | None = None) -> MultiViewData:
    views = tuple(View(f"v{v}", kernel, "kernel") for v, kernel in enumerate(kernels))
    return MultiViewData("toy", views, mask, n_clusters=3)


def toy_kernels(masked: bool) -> MultiViewData:
    """Gaussian kernels, centred and of unit diagonal before rows are deleted, as the programs were given them."""
    toy = golden_numbers("kernel_methods")
    squares = [squared_distances(toy[f"X{v}"]) for v in VIEWS]
    kernels = [center_and_normalize(gaussian(one, 2 * np.median(np.sqrt(one)) ** 2)) for one in squares]
    mask = toy["mask"].astype(bool)
    if not masked:
        return of_kernels(kernels)
    return of_kernels([K * np.outer(seen, seen) for K, seen in zip(kernels, mask.T, strict=True)], mask)


def replaced(monkeypatch: pytest.MonkeyPatch, of: type, **values: Any) -> None:
    """Let functions that `of`'s file calls return these values."""
    module = sys.modules[of.__module__]
    for name, value in values.items():
        assert callable(getattr(module, name))
        monkeypatch.setattr(module, name, lambda *_, _value=value, **__: _value)


def starting_from(monkeypatch: pytest.MonkeyPatch, of: type, **values: Any) -> None:
    """Let functions that `of`'s file calls return these values the first time, where the start is made."""
    module = sys.modules[of.__module__]
    for name, value in values.items():
        first, usual = [value], getattr(module, name)
        monkeypatch.setattr(
            module, name, lambda *a, _first=first, _usual=usual, **k: _first.pop() if _first else _usual(*a, **k)
        )


def noted(monkeypatch: pytest.MonkeyPatch, of: type, solver: str) -> list[Any]:
    """What this function that `of`'s file calls returns from now on, call by call."""
    module, made = sys.modules[of.__module__], []
    solve = getattr(module, solver)

    def solved(*given: Any, **keywords: Any) -> Any:
        found = solve(*given, **keywords)
        made.append(copy.deepcopy(found))  # some are overwritten
        return found

    monkeypatch.setattr(module, solver, solved)
    return made


def as_they_are(monkeypatch: pytest.MonkeyPatch, of: type) -> None:
    """Let the class take its views in the size that they have."""
    monkeypatch.setattr(sys.modules[of.__module__], "mean_length_one", lambda data: [v.matrix for v in data.views])


def agree(found: Representation, golden: Golden, *, rtol: float = 1e-11, atol: float = 1e-12, **stored: str) -> None:
    """The objective, parts of the representation and details, by name, are these arrays of the file."""
    for name, array in stored.items():
        if name == "objective":
            np.testing.assert_allclose(found.objective, golden[array], rtol=rtol)
        else:
            value = found.details[name] if name in found.details else getattr(found, name)
            np.testing.assert_allclose(value, golden[array], atol=atol)


def same_rows(found: Representation, expected: np.ndarray, tolerance: float = 1e-8) -> None:
    """The same embedding up to a rotation, with rows of unit length."""
    np.testing.assert_allclose(projector(unit_rows(found.embedding)), projector(unit_rows(expected)), atol=tolerance)


# factorisations


@pytest.mark.parametrize("run", range(3))
def test_daimc(run, monkeypatch):
    golden, method = golden_numbers("daimc"), algorithms.DAIMC
    U, B = ([golden[f"{name}{v}"] for v in VIEWS] for name in "UB")
    replaced(monkeypatch, method, clustered_starts=(U, golden["V"], B))
    found = method(alpha=float(golden[f"alpha{run}"]), beta=float(golden[f"beta{run}"])).represent(features(golden))
    agree(found, golden, objective=f"obj{run}", embedding=f"outV{run}", rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("run", [2, 3])
def test_mic(run, monkeypatch):
    golden, method = golden_numbers("mic"), algorithms.MIC
    U, V, w = ([golden[f"{name}{v}"] for v in VIEWS] for name in "UVw")
    replaced(monkeypatch, method, joint_starts=(U, V))
    # the stored views are filled: their rows of weight 1 are the observed ones
    data = MultiViewData.from_arrays(
        [golden[f"X{v}"] for v in VIEWS], mask=np.column_stack([one == 1 for one in w]), n_clusters=3
    )
    found = method(
        alpha=float(golden[f"alpha{run}"]),
        beta=float(golden[f"beta{run}"]),
        scale="total",
        literal=True,
        steps=100,
        tol=0.0,
    ).represent(data)
    logged = golden[f"log{run}"][1:]
    np.testing.assert_allclose(found.objective[: len(logged)], logged, rtol=1e-8)
    for v in VIEWS:
        np.testing.assert_allclose(found.details[f"basis_view{v}"], golden[f"outV{run}_{v}"], atol=1e-10)


def test_multinmf(monkeypatch):
    golden, method = golden_numbers("multinmf"), algorithms.MultiNMF
    U, V = ([golden[f"{name}{v}"] for v in VIEWS] for name in "UV")
    replaced(monkeypatch, method, chained_starts=(U, V))
    model = method(consensus_weight=float(golden["alpha1"]), max_iter=29, steps=200, updates=1, tol=0.0)
    np.testing.assert_allclose(model.represent(features(golden)).embedding, golden["star1"], atol=1e-13)


def a_pair(golden: Golden) -> MultiViewData:
    """Samples of both views, those of the first alone, those of the second alone."""
    both, one, other = (len(golden[name]) for name in ("X2", "X1", "Y3"))
    first = np.vstack([golden["X2"], golden["X1"], np.zeros((other, golden["X1"].shape[1]))])
    second = np.vstack([golden["Y2"], np.zeros((one, golden["Y3"].shape[1])), golden["Y3"]])
    mask = np.ones((len(first), 2), dtype=bool)
    mask[both + one :, 0] = mask[both : both + one, 1] = False
    return MultiViewData.from_arrays([first, second], mask=mask, n_clusters=3)


@pytest.mark.parametrize("run", range(3))
def test_pvc(run, monkeypatch):
    golden, method = golden_numbers("pvc"), algorithms.PVC
    replaced(monkeypatch, method, nndsvd=(golden["P2"], None))
    model = method(penalty=float(golden[f"lambda{run}"]), scale_penalty=True, unit_length=False, tol=0.0)
    found = model.represent(a_pair(golden))
    # the package stops its inner steps early
    expected = np.vstack([golden[f"P2_{run}"], golden[f"P1_{run}"], golden[f"P3_{run}"]])
    np.testing.assert_allclose(found.embedding, expected, atol=1e-4)


def test_img(monkeypatch):
    golden, method = golden_numbers("img"), algorithms.IMG
    replaced(monkeypatch, method, start_of=golden["startP"])
    solve = sys.modules[method.__module__].img

    def with_their_laplacian(pair, start, _, stopping, **weights):
        return solve(pair, start, golden["laplacian"], stopping, **weights)

    monkeypatch.setattr(sys.modules[method.__module__], "img", with_their_laplacian)
    found = method(clipped=True).represent(a_pair(golden))
    np.testing.assert_allclose(found.affinity, golden["A"], atol=1e-13)


def test_dsnmf(monkeypatch):
    golden, method = golden_numbers("dsnmf"), algorithms.DSNMF
    # one view: with several the program keeps an H of each, and the class the one that they share
    replaced(monkeypatch, method, pretrained=([[golden["sZ0"], golden["sZ1"]]], golden["sH"]))
    monkeypatch.setattr(sys.modules[method.__module__], "without_surplus_columns", lambda X: X)
    data = MultiViewData.from_arrays([golden["sX"]], n_clusters=3)
    found = method(layers=(6, 3), beta=0.0, max_iter=50, tol=0.0).represent(data)
    np.testing.assert_allclose(found.embedding, golden["outsH"], atol=1e-9)
    np.testing.assert_allclose(np.sqrt(found.objective[-1]), golden["sdn"], rtol=1e-9)


@pytest.mark.parametrize("run", range(4))
def test_pimvc(run, monkeypatch):
    golden, method = golden_numbers("pimvc"), algorithms.PIMVC
    as_they_are(monkeypatch, method)
    module, data = sys.modules[method.__module__], features(golden)
    turned, views = module.rotated, iter(VIEWS)

    def from_their_start(x: np.ndarray, *given: Any) -> Any:
        view = turned(x, *given)
        axes = np.linalg.lstsq(x, view.rows, rcond=None)[0]
        return dataclasses.replace(view, principal=axes.T @ golden[f"start{next(views)}"].T)

    monkeypatch.setattr(module, "rotated", from_their_start)
    ridge, smoothness = (float(weight) for weight in golden[f"weights{run}"])
    found = method(ridge=ridge, smoothness=smoothness).represent(data)
    agree(found, golden, objective=f"obj{run}", embedding=f"Y{run}", atol=1e-10)


@pytest.mark.parametrize("run", range(3))
def test_ueaf(run, monkeypatch):
    golden, method = golden_numbers("ueaf"), algorithms.UEAF
    monkeypatch.setattr(method, "canonical", False)  # what is replaced is in the order of the data
    as_they_are(monkeypatch, method)
    solve = sys.modules[method.__module__].ueaf

    def from_their_start(views, *_):
        for v, view in enumerate(views):
            view.U, view.R, view.B = golden[f"U{v}"], np.eye(golden[f"E{v}"].shape[1]), golden[f"E{v}"]
        return solve(views, golden["S0"], golden["F0"], *_[2:])

    monkeypatch.setattr(sys.modules[method.__module__], "ueaf", from_their_start)
    smoothness, graph, spectral = (float(weight) for weight in golden[f"l{run}"])
    model = method(smoothness=smoothness, graph=graph, spectral=spectral, graph_term="program")
    found = model.represent(features(golden))
    agree(found, golden, objective=f"obj{run}", weights=f"alpha{run}", rtol=1e-9, atol=1e-9)
    same_rows(found, golden[f"P{run}"])


@pytest.mark.parametrize("run", range(4))
def test_opmc(run, monkeypatch):
    golden, method = golden_numbers("opmc"), algorithms.OPMC
    as_they_are(monkeypatch, method)
    axis = int(golden[f"axis{run}"])
    X = [golden[f"X{v}"] for v in VIEWS]
    data = MultiViewData.from_arrays(
        [(x - x.mean(axis=axis, keepdims=True)) / x.std(axis=axis, ddof=1, keepdims=True) for x in X], n_clusters=3
    )
    centres = [
        sys.modules[method.__module__].Centres(golden[f"C0{run}_{v}"], golden[f"W0{run}_{v}"].T.copy()) for v in VIEWS
    ]
    monkeypatch.setattr(method, "_starts", lambda *_: [golden[f"Y0{run}"]])
    monkeypatch.setattr(method, "_centres", lambda *_: centres)
    found = method(weighting="equal", max_iter=golden[f"labels{run}"].shape[1], tol=0.0).represent(data)
    np.testing.assert_array_equal(found.labels, golden[f"labels{run}"][:, -1])
    np.testing.assert_allclose(found.objective[: len(golden[f"obj{run}"])], golden[f"obj{run}"], rtol=1e-11)


@pytest.mark.parametrize("passes", [1, 2])
def test_opimc(passes, monkeypatch):
    golden, method = golden_numbers("opimc"), algorithms.OPIMC
    module = sys.modules[method.__module__]
    # all samples in one block: several blocks of ours are drawn at random
    monkeypatch.setattr(module, "canonical_order", lambda *matrices: np.arange(len(matrices[-1])))
    monkeypatch.setattr(np.random, "default_rng", lambda *_: SimpleNamespace(permutation=np.arange))
    monkeypatch.setattr(module, "mean_lengths", lambda data: [1.0] * data.n_views)
    monkeypatch.setattr(method, "_starts", lambda *_: [golden["start1"]])
    found = method(alpha=float(golden["alpha1"]), n_passes=passes).represent(features(golden))
    np.testing.assert_array_equal(found.labels, golden[f"labels1_{passes - 1}"])
    for v in VIEWS:
        np.testing.assert_allclose(found.details[f"basis_view{v}"], golden[f"U1_{passes - 1}_{v}"], atol=1e-12)


# anchors


@pytest.mark.parametrize("run", range(4))
def test_fimvc_via(run, monkeypatch):
    golden, method = golden_numbers("fimvc_via"), algorithms.FIMVCVIA
    monkeypatch.setattr(method, "canonical", False)  # what is replaced is in the order of the data
    starting_from(monkeypatch, method, anchor_bases=[golden[f"start{run}_{v}"] for v in VIEWS])
    model = method(n_anchors=golden[f"start{run}_0"].shape[1], ridge=float(golden[f"lam{run}"]))
    found = model.represent(features(golden))
    agree(found, golden, objective=f"obj{run}", anchor_graph=f"Z{run}", weights=f"weights{run}")


@pytest.mark.parametrize("run", range(3))
def test_simvc_sa(run, monkeypatch):
    golden, method = golden_numbers("simvc_sa"), algorithms.SIMVCSA
    monkeypatch.setattr(method, "canonical", False)  # what is replaced is in the order of the data
    starts = {"anchor_bases": [golden[f"start{run}_{v}"] for v in VIEWS], "completed_polar": golden[f"startF{run}"]}
    starting_from(monkeypatch, method, **starts)
    model = method(
        n_anchors=golden[f"startF{run}"].shape[1],
        alignment=float(golden[f"lam{run}"]),
        ridge=float(golden[f"mu{run}"]),
        max_iter=101,
    )
    found = model.represent(features(golden))
    agree(found, golden, objective=f"obj{run}", weights=f"weights{run}", atol=1e-11)


@pytest.mark.parametrize("run", range(3))
def test_psimvc_pg(run):
    golden = golden_numbers("psimvc_pg")
    d, m = (int(size) for size in golden[f"size{run}"])
    model = algorithms.PSIMVCPG(dimension=d, n_anchors=m, start="program", weighting="norm")
    found = model.represent(features(golden))
    agree(found, golden, objective=f"obj{run}", anchor_graph=f"Z{run}", atol=1e-11)


@pytest.mark.parametrize("run", range(3))
def test_smvsc(run):
    golden = golden_numbers("smvsc")
    X = [golden[f"X{v}"] for v in VIEWS]
    data = MultiViewData.from_arrays([(x - x.mean(axis=0)) / x.std(axis=0, ddof=1) for x in X], n_clusters=3)
    m, ridge = int(golden[f"size{run}"]), float(golden[f"lam{run}"])
    found = algorithms.SMVSC(n_anchors=m, ridge=ridge, start="program", graph="program").represent(data)
    agree(found, golden, objective=f"obj{run}", anchor_graph=f"Z{run}")


@pytest.mark.parametrize("run", range(6))
def test_lmvsc(run, monkeypatch):
    golden, method = golden_numbers("lmvsc"), algorithms.LMVSC
    as_they_are(monkeypatch, method)
    anchors = golden[f"anchors{run}"]
    monkeypatch.setattr(sys.modules[method.__module__], "cluster_means", lambda X, _: X[anchors])
    found = method(n_anchors=len(anchors), ridge=float(golden[f"alpha{run}"])).represent(features(golden))
    np.testing.assert_allclose(projector(found.embedding), projector(golden[f"U{run}"]), atol=1e-7)


def test_fastmice(monkeypatch):
    golden, method = golden_numbers("fastmice"), algorithms.FastMICE
    # its base clusterings hang on random draws; the stages of one are compared with the program's elsewhere
    drawn = iter(golden["ensemble"].T)
    monkeypatch.setattr(method, "_clustering", lambda _self, _views, _cosine, order, _k, _rng: next(drawn)[order])
    with threadpool_limits(1, user_api="blas"):  # tasks one after the other
        found = method(n_base=golden["ensemble"].shape[1]).represent(features(golden))
    np.testing.assert_allclose(projector(found.embedding), projector(golden["E"]), atol=1e-8)


# kernels


MKKM_RUNS = {
    "mkkm_zero": MKKMZF(tol=1e-3, max_iter=100),
    "mkkm_mean": MKKMMF(tol=1e-3, max_iter=100),
    "mkkm_af": MKKMAF(tol=1e-3, max_iter=100),
    "ik_zero": algorithms.MKKMIK(filling="zero"),
    "ik_mean": algorithms.MKKMIK(filling="mean"),
}


@pytest.mark.parametrize("run", MKKM_RUNS)
def test_mkkm(run):
    golden = golden_numbers("kernel_methods")
    found = MKKM_RUNS[run].represent(toy_kernels(masked=True))
    agree(found, golden, objective=f"{run}_objective", weights=f"{run}_weights", rtol=1e-8)
    same_rows(found, golden[f"{run}_H"])


@pytest.mark.parametrize("case", range(0, 12, 2))
def test_limkkm(case, monkeypatch):
    golden = golden_numbers("kernel_methods")
    n_neighbors, regularization = golden[f"li_{case}_settings"]
    data = toy_kernels(masked=True)
    n, module = data.n_samples, sys.modules[algorithms.LIMKKM.__module__]
    weights = module.neighbourhood_weights
    # of equally similar samples the program takes the first
    monkeypatch.setattr(module, "neighbourhood_weights", lambda *given: weights(*given, order=np.arange(n)))
    model = algorithms.LIMKKM(tau=n_neighbors / n, regularization=float(regularization))
    found = model.represent(data)
    agree(found, golden, objective=f"li_{case}_objective", weights=f"li_{case}_weights", rtol=1e-8)


@pytest.mark.parametrize("case", range(6))
def test_eeimvc(case):
    golden = golden_numbers("kernel_methods")
    model = algorithms.EEIMVC(regularization=float(golden[f"ee_{case}_lambda"]))
    found = model.represent(toy_kernels(masked=True))
    # our start is the program's up to signs
    np.testing.assert_allclose(found.objective, golden[f"ee_{case}_objective"], rtol=1e-7)
    same_rows(found, golden[f"ee_{case}_H"], 1e-6)


@pytest.mark.parametrize("run", range(4))
def test_lf_imvc(run):
    golden = golden_numbers("lf_imvc")
    model = algorithms.LFIMVC(regularization=float(golden[f"lam{run}"]))
    found = model.represent(toy_kernels(masked=False))
    agree(found, golden, objective=f"demo_obj{run}", embedding=f"demo_H{run}", rtol=1e-12)
    hidden = toy_kernels(masked=True)
    found = model.represent(hidden)
    # the program scales the rounding noise in rows of missing samples to unit length
    start = [golden["zf_base"][:, :, v] * hidden.mask[:, [v]] for v in VIEWS]
    expected = lf_imvc(start, published_stopping(200, 1e-4), regularization=float(golden[f"lam{run}"]))
    np.testing.assert_allclose(found.objective, expected.history.objective, rtol=1e-10)
    np.testing.assert_allclose(found.embedding, unit_rows(expected.partition), atol=1e-8)


@pytest.mark.parametrize("prep", ["raw", "centred"])
def test_simplemkkm(prep):
    golden = golden_numbers("simplemkkm")
    kernels = [golden["KH"][:, :, p] for p in VIEWS]
    kernels = kernels if prep == "raw" else [center_and_normalize(K) for K in kernels]
    found = algorithms.SimpleMKKM().represent(of_kernels(kernels))
    np.testing.assert_allclose(found.details["weights"], golden[f"{prep}_gamma"], atol=1e-4)


# graphs and subspaces


def test_amgl():
    golden = golden_numbers("amgl")
    found = algorithms.AMGL(graph="adaptive").represent(features(golden_numbers("mvgl")))
    np.testing.assert_allclose(projector(found.embedding), projector(golden["F"]), atol=1e-5)
    np.testing.assert_allclose(found.details["weights"], golden["weights"], rtol=1e-4)


@pytest.mark.parametrize("run", range(3))
def test_awp(run):
    golden = golden_numbers("awp")
    found = algorithms.AWP(n_neighbors=int(golden[f"knn{run}"])).represent(features(golden))
    assert same_partition(found.labels, golden[f"labels{run}"])


@pytest.mark.parametrize("i", range(3))
def test_coreg(i):
    golden, toy = golden_numbers("coreg"), golden_numbers("mvgl")
    options = {"lam": float(golden["lam"][i]), "sigma": "median-with-diagonal", "tol": 0.0}
    pairwise = algorithms.CoRegPairwise(view=0, **options).represent(features(toy))
    same_rows(pairwise, golden["pairwise_U"][i, 0])
    np.testing.assert_allclose(pairwise.details["eigenvalue_sums"], golden["pairwise_sums"][i].T, atol=1e-10)
    same_rows(algorithms.CoRegCentroid(**options).represent(features(toy)), golden["centroid"][i])


@pytest.mark.parametrize("run", range(3))
def test_gmc(run):
    golden = golden_numbers("gmc")
    model = algorithms.GMC(first_lambda=float(golden[f"first{run}"]), standardize=bool(golden[f"standard{run}"]))
    found = model.represent(features(golden))
    pieces = connected_components(sparse.csr_array(golden[f"U{run}"] > 0), directed=False)[1]
    assert same_partition(found.labels, pieces)
    np.testing.assert_allclose(found.details["weights"], golden[f"w{run}"][:, -1], rtol=1e-12)


@pytest.mark.parametrize("q", range(3))
def test_mvgl(q):
    golden = golden_numbers("mvgl")
    m, local, local_global = golden[f"config{q}"]
    model = algorithms.MVGL(n_neighbors=int(m), local_views=bool(local), local_global=bool(local_global))
    found = model.represent(features(golden))
    np.testing.assert_allclose(found.details["graph"], golden[f"A{q}"], atol=1e-6)


@pytest.mark.parametrize("run", range(3))
def test_mcgc(run):
    golden = golden_numbers("mcgc")
    model = algorithms.MCGC(n_neighbors=int(golden[f"knn{run}"]), agreement=float(golden[f"beta{run}"]))
    pieces = connected_components(sparse.csr_array(golden[f"S{run}"] > 0), directed=False)[1]
    assert same_partition(model.represent(features(golden)).labels, pieces)


def test_pic(monkeypatch):
    golden, method = golden_numbers("pic"), algorithms.PIC
    monkeypatch.setattr(method, "canonical", False)  # the graphs are read in the order of the data
    made = noted(monkeypatch, method, "completed_graphs")
    found = method().represent(features(golden))
    for v in VIEWS:
        np.testing.assert_allclose(made[0][v], golden[f"S{v}"], atol=1e-12)
    np.testing.assert_allclose(found.details["weights"], pic_weights([golden[f"S{v}"] for v in VIEWS], 3), atol=1e-5)


@pytest.mark.parametrize("i", range(3))
def test_rmsc(i, monkeypatch):
    golden, method = golden_numbers("rmsc"), algorithms.RMSC
    replaced(monkeypatch, method, view_graphs=[T.copy() for T in golden["T"]])
    data = of_kernels([np.eye(golden["T"].shape[-1])] * 3)
    found = method(lam=float(golden["lam"][i]), solver="paper").represent(data)
    if golden["lam"][i] == 0.05:  # the one of which there are eigenvectors
        same_rows(found, golden["U"], 1e-7)
    assert found.converged


@pytest.mark.parametrize("i", range(3))
def test_emvc(i, monkeypatch):
    golden = golden_numbers("emvc")
    X = MultiViewData.from_arrays([unit_rows(golden[f"X{v}"]) for v in VIEWS], n_clusters=3)
    model = algorithms.EMVC(
        beta=float(golden["beta"][i]), lam=float(golden["lam"][i]), squared_width=20_000.0, max_iter=7
    )
    made = noted(monkeypatch, algorithms.EMVC, "emvc")
    model.represent(X)
    # the class computes transition probabilities in single precision
    np.testing.assert_allclose(made[0].P, golden["P_published"][i], atol=1e-8)


def test_imsc_agl(monkeypatch):
    golden, method = golden_numbers("imsc_agl"), algorithms.IMSCAGL
    monkeypatch.setattr(method, "canonical", False)  # what is replaced is in the order of the data
    as_they_are(monkeypatch, method)
    module = sys.modules[method.__module__]
    n = len(golden["U"])
    full, mask = [], np.zeros((n, 3), dtype=bool)
    for v in VIEWS:
        X = np.zeros((n, golden[f"X{v}"].shape[1]))
        X[golden[f"rows{v}"]] = golden[f"X{v}"]
        mask[golden[f"rows{v}"], v] = True
        full.append(X)
    first, views = module.first_view, iter(VIEWS)

    def with_their_eigenvectors(*given: Any) -> Any:
        view = first(*given)
        # those of a graph in several pieces are not unique
        return module.ViewGraph(view.X, given[1], view.Z, golden[f"F{next(views)}"])

    monkeypatch.setattr(module, "first_view", with_their_eigenvectors)
    found = method(consensus="program").represent(MultiViewData.from_arrays(full, mask=mask, n_clusters=3))
    same_rows(found, golden["U"], 1e-9)


LRSSC_RUNS = {
    "pl": (algorithms.LRSSCPairwise, {}),
    "pn": (algorithms.LRSSCPairwise, {"noisy": False}),
    "cl": (algorithms.LRSSCCentroid, {"low_rank": 0.1, "agreement": 0.7}),
    "cn": (algorithms.LRSSCCentroid, {"low_rank": 0.3, "agreement": 0.3, "noisy": False}),
    "pk": (algorithms.LRSSCPairwise, {}),
    "ck": (algorithms.LRSSCCentroid, {"low_rank": 0.3, "agreement": 0.3}),
}


def lrssc_affinity(method: type, data: MultiViewData, patch: pytest.MonkeyPatch, **options: Any) -> Any:
    """Affinities of all pairs among the first 30 samples, found by the class on views as they are; violations."""
    patch.setattr(method, "canonical", False)  # the coefficients are read before they are put in order
    made = noted(patch, method, "lrssc")
    running = {"reset_centroid": False} if method is algorithms.LRSSCCentroid else {}
    method(unit=None, tol=0.0, **running, **options).represent(data)
    return joint_affinity(made[0].coefficients)[:30, :30][np.triu_indices(30, 1)], made[0].residual


@pytest.mark.parametrize("field", LRSSC_RUNS)
def test_lrssc(field, monkeypatch):
    golden = golden_numbers("lrssc")
    method, options = LRSSC_RUNS[field]
    data, most = features(golden), 1e-3
    if field in ("pk", "ck"):
        widths = zip(data.views, golden["sigma"], strict=True)
        data, most = of_kernels([gaussian(squared_distances(v.matrix), 2 * s**2) for v, s in widths]), 1e-5
    with pytest.MonkeyPatch.context() as patch:
        _, violations = lrssc_affinity(method, data, patch, max_iter=30, **options)
    # the authors stop where no violation exceeds this
    steps = int(np.flatnonzero(violations <= most)[0]) + 1
    found, _ = lrssc_affinity(method, data, monkeypatch, max_iter=steps, **options)
    np.testing.assert_allclose(found, golden[field], atol=1e-9 * golden[field].max())


@pytest.mark.parametrize(("field", "method"), [("trp", algorithms.LRSSCPairwise), ("trc", algorithms.LRSSCCentroid)])
@pytest.mark.parametrize("steps", [1, 2, 5])
def test_lrssc_step_by_step(field, method, steps, monkeypatch):
    weights = {"low_rank": 0.3, "agreement": 0.3, "sparse": 0.7}
    golden = golden_numbers("lrssc")
    found, _ = lrssc_affinity(method, features(golden), monkeypatch, max_iter=steps, **weights)
    np.testing.assert_allclose(found, golden[field][steps - 1], atol=1e-12)


# late fusion in one stage


def with_their_partitions(patch: pytest.MonkeyPatch, base: np.ndarray, prior: np.ndarray, C: np.ndarray) -> None:
    """Leading eigenvectors of the kernels are the program's, with their signs and the noise in rows of zeros."""
    bases, of = [base[:, :, p] for p in VIEWS], OneStageClusterer
    kernels = [SimpleNamespace(top=lambda *_, own=own: own) for own in bases]
    replaced(patch, of, observed_kernels=kernels, summed_partition=prior, centroid_rotation=C)
    replaced(patch, of, turned_towards=bases)  # the program turns no base partition


@pytest.mark.parametrize("run", range(4))
def test_os_lf_imvc(run, monkeypatch):
    golden, method = golden_numbers("os_lf_imvc"), algorithms.OSLFIMVC
    with_their_partitions(monkeypatch, golden["base"], golden["prior"], golden[f"C0{run}"])
    data = of_kernels([np.eye(len(golden["mask"]))] * 3, golden["mask"].astype(bool))
    found = method(regularization=float(golden[f"lam{run}"])).represent(data)
    agree(found, golden, objective=f"obj{run}", labels=f"labels{run}", weights=f"beta{run}", atol=1e-10)


@pytest.mark.parametrize("run", range(2))
def test_oplf_mvc(run, monkeypatch):
    golden, method = golden_numbers("oplf_mvc"), algorithms.OPLFMVC
    base = golden[f"H_p{run}"]
    with_their_partitions(monkeypatch, base, base[:, :, 0], golden[f"C0{run}"])
    found = method().represent(of_kernels([np.eye(len(base))] * 3))
    agree(found, golden, objective=f"obj{run}", labels=f"labels{run}")
