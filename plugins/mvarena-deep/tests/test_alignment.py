"""DCP, CPSPAN and RML: what completes a missing code, what is aligned, and what is perturbed."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from mvarena.testing import blobs
from test_methods import made

from mvarena_deep.autoencoders import reconstruction_loss, view_codes
from mvarena_deep.rml import SeededDropout
from mvarena_deep.samples import samples_of
from mvarena_deep.session import generator_of


def untrained(name, **settings):
    """A model of random weights for incomplete data of three views, in evaluation mode."""
    data = blobs(40, dims=(8, 6, 7), missing=0.4, spread=3.0, **settings)
    return made(name).model(samples_of(data, torch.device("cpu")), 3, generator_of(0)).eval()


def test_dcp_completes_a_code_by_the_mean_of_its_predictions():
    model = untrained("dcp")
    mask = model.samples.mask
    with torch.no_grad():
        codes, found = view_codes(model.parts, model.samples), model.outcome()
        row = int(torch.nonzero(mask[:, 0] & ~mask[:, 1] & mask[:, 2])[0])
        predicted = [model.predictors[model.pairs.index((u, 1))](codes[u]) for u in (0, 2)]
    width = codes[0].shape[1]
    expected = (predicted[0][row] + predicted[1][row]) / 2
    np.testing.assert_allclose(found[row, width : 2 * width], expected.numpy(), rtol=1e-5)
    np.testing.assert_allclose(found[row, :width], codes[0][row].numpy())


def test_dcp_weighs_all_pairs_of_views_alike():
    model = untrained("dcp")
    complete = model.samples.take(model.samples.complete)
    with torch.no_grad():
        codes = view_codes(model.parts, complete)
        values = []
        for order in ([codes[0], codes[0], codes[1]], [codes[1], codes[0], codes[0]]):
            again = reconstruction_loss(model.parts, complete, order)
            values.append((model._contrast(complete, order) - 0.1 * again).item())
    assert values[0] == pytest.approx(values[1], rel=1e-5)


def test_cpspan_borrows_the_code_of_the_most_similar_sample():
    model = untrained("cpspan")
    mask = model.samples.mask.numpy()
    with torch.no_grad():
        codes, found = [z.numpy() for z in view_codes(model.parts, model.samples)], model.outcome()
    unit = [z / np.maximum(np.linalg.norm(z, axis=1, keepdims=True), 1e-12) for z in codes]
    for row in np.flatnonzero(~mask[:, 1]):
        common = {
            other: [v for v in range(3) if mask[row, v] and mask[other, v]] for other in np.flatnonzero(mask[:, 1])
        }
        similar = {
            other: np.mean([unit[v][row] @ unit[v][other] for v in views]) for other, views in common.items() if views
        }
        giver = max(similar, key=similar.get)
        np.testing.assert_allclose(found[row, 3:6], codes[1][giver], rtol=1e-6)


def test_cpspan_names_clusters_alike_in_all_views():
    model = untrained("cpspan")
    truth = np.arange(40) % 3
    first, renamed = truth.copy(), np.array([2, 0, 1])[truth]
    first[::5], renamed[1::5] = -1, -1
    np.testing.assert_array_equal(model._named_as(first, renamed), np.where(renamed >= 0, truth, -1))
    model.find_clusters()
    assert ((model.clusters >= 0) == model.samples.mask).all()


def test_rml_perturbs_about_a_quarter_and_leaves_a_view_to_everybody():
    model = made("rml").model(samples_of(blobs(2000, missing=0.3), torch.device("cpu")), 3, generator_of(0))
    mask = model.samples.mask
    fewer = model._fewer(mask)
    assert fewer.any(1).all()
    assert not (fewer & ~mask).any()
    several = mask.sum(1) > 1
    changed = (fewer != mask).any(1)[several].float().mean().item()
    assert 0.25 * 0.6 < changed < 0.25
    noisy = model._noisy(model.samples.views)
    for x, other, width in zip(model.samples.views, noisy, model.ranges, strict=True):
        touched = (x != other).any(1)
        assert 0.2 < touched.float().mean().item() < 0.3
        assert (other - x)[touched].std().item() == pytest.approx(0.4 * width, rel=0.1)


def test_dropout_draws_from_its_generator_alone():
    x = torch.ones(50, 40)
    state = torch.get_rng_state()
    dropped = [SeededDropout(0.3, generator_of(1)).train()(x) for _ in range(2)]
    assert torch.equal(state, torch.get_rng_state())
    assert torch.equal(*dropped)
    assert dropped[0].mean().item() == pytest.approx(1.0, abs=0.1)
    assert torch.equal(SeededDropout(0.3, generator_of(1)).eval()(x), x)
