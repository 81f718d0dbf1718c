"""Hand-written losses: gradients against finite differences in double precision, and values known in advance."""

from __future__ import annotations

import math

import pytest
import torch

from mvarena_deep import losses


def drawn(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64, requires_grad=True)


@pytest.mark.parametrize(
    "loss",
    [
        lambda a, b: losses.cross_view_information(a.softmax(1), b.softmax(1)),
        lambda a, b: losses.pair_contrast(a, b, 0.5),
        lambda a, b: losses.cauchy_schwarz(a.softmax(1), torch.exp(-losses.squared_distances(b, b))),
        lambda a, b: losses.negative_entropy(a.softmax(1)) + losses.reconstruction(a, b),
        lambda a, b: losses.contrast_with_drawn(
            a, b, ~torch.eye(6, dtype=torch.bool), 3, 0.5, torch.Generator().manual_seed(0)
        ),
    ],
    ids=["information", "pair-contrast", "cauchy-schwarz", "entropy", "drawn-contrast"],
)
def test_gradients(loss):
    assert torch.autograd.gradcheck(loss, (drawn(6, 4), drawn(6, 4, seed=1)))


def test_gradient_of_deep_divergence_through_assignments():
    """The kernel's width is held constant on purpose, so that only the assignments' gradient is the whole one."""
    h = drawn(7, 5).detach()
    assert torch.autograd.gradcheck(lambda a: losses.deep_divergence(a.softmax(1), h), (drawn(7, 3, seed=1),))


def test_deep_divergence_prefers_the_groups_that_there_are():
    groups = torch.arange(12) % 3
    h = 10.0 * torch.eye(3)[groups] + 0.1 * torch.randn(12, 3, generator=torch.Generator().manual_seed(0))
    right, wrong = torch.eye(3)[groups], torch.eye(3)[torch.arange(12) // 4]
    assert losses.deep_divergence(right, h) < losses.deep_divergence(wrong, h)


def test_information_of_equal_codes():
    """Equal one-hot codes of k equally large groups: mutual information ln k, entropies ln k each."""
    k, alpha = 4, 9.0
    codes = torch.eye(k, dtype=torch.float64).repeat(5, 1)
    expected = -(math.log(k) + 2 * alpha * math.log(k))
    assert losses.cross_view_information(codes, codes, alpha).item() == pytest.approx(expected, rel=1e-6)


def test_pair_contrast_of_partners_that_agree():
    """Orthogonal rows, equal in both views: -ln(e^(1/t) / (e^(1/t) + 2 (n - 1)))."""
    rows, t = torch.eye(5, dtype=torch.float64), 0.5
    own = math.exp(1 / t)
    expected = -math.log(own / (own + 2 * 4))
    assert losses.pair_contrast(rows, rows, t).tolist() == pytest.approx([expected] * 5)


def test_drawn_contrast_without_others_is_nothing():
    a = drawn(3, 2)
    none = torch.zeros(3, 3, dtype=torch.bool)
    assert losses.contrast_with_drawn(a, a, none, 25, 0.1, torch.Generator()).item() == pytest.approx(0.0)
