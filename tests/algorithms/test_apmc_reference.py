"""apmc against the authors' program, number for number.

tests/golden/apmc.npz holds X1 to X3 (60 samples, unit rows), `mask` (60, 3) and `split_mask` (60, 2: 30 samples in both
of X1 and X2, 15 in either), and of each run, for m = 5, 7 and 12, the numbers of `order`, the samples of its rows.
pair0 is X1 and X2 under `split_mask`; pair1 to pair3 are X1 X2, X1 X3 and X2 X3 under `mask`; three is all three.
sigma_squared is that of the kernels, loads the diagonal of Lambda, theta or values are k + 1
eigenvalues, rows those of F at unit length.
"""

from __future__ import annotations

import numpy as np
import pytest
from comparisons import projector
from golden_numbers import golden_numbers

from mvarena.algorithms.graph.apmc import APMC, FusedSimilarity, balanced, linked_pairs, pair_graph, presence
from mvarena.data import MultiViewData

GOLDEN = golden_numbers("apmc")
PAIRS = [(0, 1), (0, 1), (0, 2), (1, 2)]


def golden_data(views, mask) -> MultiViewData:
    seen = mask.any(axis=1)
    return MultiViewData.from_arrays([GOLDEN[f"X{v + 1}"][seen] for v in views], mask=mask[seen], n_clusters=3)


@pytest.mark.parametrize("m", [5, 7, 12])
@pytest.mark.parametrize("which", range(4))
def test_a_pair_of_views_gives_the_programs_graph_and_eigenvectors(which, m):
    run = {name: GOLDEN[f"pair{which}_m{m}_{name}"] for name in ("order", "sigma_squared", "Z", "loads", "F", "theta")}
    mask = GOLDEN["split_mask"] if which == 0 else GOLDEN["mask"][:, PAIRS[which]]
    views = tuple(GOLDEN[f"X{v + 1}"] for v in PAIRS[which])
    # the program's anchors are the samples of both views, which its rows begin with
    common = run["order"][: int(mask.all(axis=1).sum())]
    Z, reaches = pair_graph(views, mask, tuple(view[common] for view in views), m, "all")
    np.testing.assert_allclose(np.square(reaches), run["sigma_squared"], rtol=1e-12)
    np.testing.assert_allclose(Z.toarray()[run["order"]], run["Z"], atol=1e-12)
    np.testing.assert_allclose(Z.sum(axis=0), run["loads"], rtol=1e-12)
    A = balanced(Z)[run["order"]]
    if which == 0:
        np.testing.assert_allclose((A @ A.T).toarray(), GOLDEN[f"pair0_m{m}_S"], atol=1e-12)
    np.testing.assert_allclose(np.linalg.eigvalsh((A.T @ A).toarray())[:-5:-1], run["theta"], atol=1e-12)
    found = APMC(n_neighbors=m, unit_rows=False).represent(golden_data(PAIRS[which], mask)).embedding
    place = np.sort(run["order"]).searchsorted(run["order"])  # `golden_data` leaves out who is in neither view
    np.testing.assert_allclose(projector(found)[np.ix_(place, place)], projector(run["F"]), atol=1e-10)


@pytest.mark.parametrize("m", [5, 7, 12])
def test_three_views_give_the_programs_mean_similarity_and_unit_rows(m):
    run = {name: GOLDEN[f"three_m{m}_{name}"] for name in ("order", "sigma_squared", "S", "F", "rows", "values")}
    order = np.ix_(run["order"], run["order"])
    data = golden_data(range(3), GOLDEN["mask"])
    model = APMC(n_neighbors=m)
    factors, details = model._factors(data, linked_pairs(data.mask))
    np.testing.assert_allclose(details["reach"].ravel() ** 2, run["sigma_squared"], rtol=1e-12)
    S = FusedSimilarity(factors, presence(data.mask, linked_pairs(data.mask))) @ np.eye(data.n_samples)
    np.testing.assert_allclose(S[order], run["S"], atol=1e-12)
    np.testing.assert_allclose(np.linalg.eigvalsh(np.diag(S.sum(axis=1)) - S)[:4], run["values"], atol=1e-12)
    found = model.represent(data).embedding
    np.testing.assert_allclose(projector(found)[order], projector(run["rows"]), atol=1e-10)
    as_is = APMC(n_neighbors=m, unit_rows=False).represent(data).embedding
    np.testing.assert_allclose(projector(as_is)[order], projector(run["F"]), atol=1e-10)
    other = APMC(n_neighbors=m, unit_rows=False, fusion="similarity").represent(data).embedding
    assert np.abs(projector(other)[order] - projector(run["F"])).max() > 1e-4


# ACC and NMI in percent of the authors' program with m = 11 on unit rows of the counts: mean over 20 bests of 20
