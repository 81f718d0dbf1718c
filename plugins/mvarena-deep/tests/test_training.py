"""The training loop, the batches and the networks."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import torch
from mvarena.testing import blobs

from mvarena_deep.networks import ObservedNorm, draw_weights_as_he, layer_widths, mlp, on_observed
from mvarena_deep.samples import batches, order_of_values, samples_of
from mvarena_deep.session import generator_of, torch_session
from mvarena_deep.training import Phase, Schedule, fall, shared_epochs, train


def test_batches_hold_every_sample_once():
    samples = samples_of(blobs(50), torch.device("cpu"))
    parts = list(batches(samples, 12, generator_of(0)))
    assert sorted(torch.cat([part.rows for part in parts]).tolist()) == list(range(50))
    assert {len(part) for part in parts} == {12, 13}


def test_order_of_values_follows_the_samples():
    data = blobs(30, missing=0.3)
    shuffle = np.random.default_rng(0).permutation(30)
    assert np.array_equal(shuffle[order_of_values(data.take(shuffle))], order_of_values(data))


def test_fall_is_a_share_of_the_range():
    losses = [float(value) for value in range(100, 80, -1)]
    assert fall(losses) == pytest.approx(10 / 19)
    assert fall([loss - 1000 for loss in losses]) == pytest.approx(10 / 19)
    assert fall(losses[:19]) == 1.0
    assert fall(losses[::-1]) == 0.0


@pytest.mark.parametrize(
    ("limit", "epochs"), [(None, [60, 60, 30]), (1, [1, 0, 0]), (10, [4, 4, 2]), (300, [120, 120, 60])]
)
def test_epochs_are_shared_out(limit, epochs):
    network = mlp([2, 2], generator_of(0))
    phases = [
        Phase(name, n, lambda batch: batch.views[0].sum(), network) for name, n in zip("abc", (60, 60, 30), strict=True)
    ]
    assert [phase.epochs for phase in shared_epochs(phases, limit)] == epochs


def test_training_ends_where_the_loss_has_settled():
    samples = samples_of(blobs(30), torch.device("cpu"))
    network = mlp([5, 1], generator_of(0))
    phase = Phase("constant", 100, lambda batch: 0 * network(batch.views[0]).sum() + 3.0, network)
    record = train(samples, [phase], Schedule(10, 1e-3, 0.01), generator_of(0))
    assert record.n_epochs == 20
    assert record.history(0.01).converged
    longer = train(samples, [phase], Schedule(10, 1e-3, -1.0), generator_of(0))
    assert longer.n_epochs == 100
    assert not longer.history(-1.0).converged


def test_few_samples_to_train_on_are_said():
    samples = samples_of(blobs(30), torch.device("cpu"))
    network = mlp([5, 1], generator_of(0))
    phases = [
        Phase(name, 2, lambda batch: (network(batch.views[0]) ** 2).mean(), network, rows=torch.arange(8))
        for name in ("one", "two")
    ]
    said = train(samples, phases, Schedule(10, 1e-3, 0.0), generator_of(0)).history(0.0).stopped_because
    assert said.count("8 samples to train on, fewer than a batch of 10") == 1
    said = train(samples, phases, Schedule(8, 1e-3, 0.0), generator_of(0)).history(0.0).stopped_because
    assert "fewer than a batch" not in said


def test_observer_is_called_every_so_many_epochs():
    samples = samples_of(blobs(30), torch.device("cpu"))
    network = mlp([5, 1], generator_of(0))
    phase = Phase("square", 7, lambda batch: (network(batch.views[0]) ** 2).mean(), network)
    epochs = []
    train(samples, [phase], Schedule(30, 1e-3, 0.0, every=3), generator_of(0), epochs.append)
    assert epochs == [3, 6]


def test_statistics_are_those_of_observed_rows():
    network = mlp([3, 4, 2], generator_of(0), norm=True)
    x = torch.randn(20, 3, generator=generator_of(1))
    observed = torch.arange(20) < 12
    outputs = on_observed(network, torch.where(observed[:, None], x, 1e6), observed)
    norm = next(part for part in network if isinstance(part, ObservedNorm))
    hidden = network[0](x[:12])
    assert torch.allclose(norm.running_mean, 0.1 * hidden.mean(0))
    assert (outputs[12:] == 0).all()
    assert torch.isfinite(on_observed(network, x, torch.arange(20) < 1)).all()


def test_weights_as_he_drew_them():
    network = mlp([200, 300, 50], generator_of(0))
    draw_weights_as_he(network, generator_of(1))
    for layer in (network[0], network[2]):
        assert layer.weight.var().item() == pytest.approx(2 / layer.in_features, rel=0.05)
        assert abs(layer.weight.mean().item()) < 0.01
    again = mlp([200, 300, 50], generator_of(0))
    draw_weights_as_he(again, generator_of(1))
    assert torch.equal(network[0].weight, again[0].weight)


def test_layer_widths():
    assert layer_widths(1500, (1024, 1024), "paper") == [1024, 1024]
    assert layer_widths(1500, (1024, 128), "default") == [256, 128]
    assert layer_widths(100, (512, 256), "default") == [128, 128]
    assert layer_widths(3, (512, 256), "default") == [64, 64]


def test_session_sets_torch_back():
    threads = torch.get_num_threads()
    with torch_session("cpu") as device:
        assert device.type == "cpu"
        assert torch.are_deterministic_algorithms_enabled()
    assert torch.get_num_threads() == threads
    assert not torch.are_deterministic_algorithms_enabled()


def test_a_method_that_is_imported_has_all_that_its_first_optimiser_imports():
    # or each fork of the arena's worker would import that anew
    script = """
import sys
import torch
import mvarena_deep.ae_km
known = set(sys.modules)
torch.optim.Adam([torch.nn.Parameter(torch.zeros(1))], fused=True)
print(len(set(sys.modules) - known))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 5
