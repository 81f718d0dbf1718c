"""What holds for every method: losses fall, seeds decide, masks are respected, options do what they say."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest
import torch
from mvarena import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.testing import blobs
from torch import nn

from mvarena_deep.samples import samples_of
from mvarena_deep.session import generator_of
from mvarena_deep.specs import ALGORITHMS

SPECS = {spec.name: spec for spec in ALGORITHMS}
TAKING_MISSING = [name for name, spec in SPECS.items() if spec.capabilities.missing]
PUBLISHED = {
    "ae-km": [512, 256, 10],
    "simvc": [512, 512, 256],
    "comvc": [512, 512, 256],
    "completer": [1024, 1024, 1024, 128],
    "dsimvc": [500, 500, 2000, 512],
    "proimp": [1024, 1024, 1024, 128],
    "mflvc": [500, 500, 2000, 512],
    "cpspan": [500, 500, 2000, 3],
    "rml": [700, 256],
    "dcp": [1024, 1024, 1024, 128],
}


def made(name, **params):
    module, kind = SPECS[name].target.split(":")
    return getattr(import_module(module), kind)(**({"random_state": 0, "max_iter": 12} | params))


def example(name, n=60, missing=0.3):
    return blobs(n, dims=(12, 9), missing=missing if SPECS[name].capabilities.missing else 0.0, spread=3.0)


def agreement(labels, truth):
    """Share of the samples in clusters' largest classes."""
    return sum(np.bincount(truth[labels == k]).max() for k in np.unique(labels)) / len(truth)


@pytest.mark.parametrize("name", SPECS)
def test_loss_falls_and_groups_are_found(name):
    data = example(name, missing=0.1)
    found = made(name, max_iter=90, tol=0.0).fit(data)
    assert np.isfinite(found.objective_).all()
    assert agreement(found.labels_, data.labels) >= 0.9
    phases = made(name).model(samples_of(data, torch.device("cpu")), 3, generator_of(0)).phases()
    if len(phases) == 1:
        assert found.objective_[-10:].mean() < found.objective_[:10].mean()


@pytest.mark.parametrize("name", TAKING_MISSING)
def test_missing_values_change_nothing(name):
    data = example(name)
    filled = [np.where(data.mask[:, [v]], view.matrix, 1e4 + v) for v, view in enumerate(data.views)]
    again = MultiViewData.from_arrays(filled, mask=data.mask, n_clusters=3)
    first, second = (made(name).represent(one) for one in (data, again))
    kind = "labels" if first.labels is not None else "embedding"
    assert np.array_equal(getattr(first, kind), getattr(second, kind))
    assert np.array_equal(first.objective, second.objective)


@pytest.mark.parametrize("name", SPECS)
def test_published_layers(name):
    samples = samples_of(blobs(20, dims=(700, 30)), torch.device("cpu"))
    model = made(name, size="paper").model(samples, 3, generator_of(0))
    first = model.encoders[0] if hasattr(model, "encoders") else model.parts[0].encoder
    assert [layer.out_features for layer in first if isinstance(layer, nn.Linear)] == PUBLISHED[name]


def test_lowest_loss_of_several_starts_is_kept():
    data = example("ae-km")
    several, single = (made("ae-km", starts=starts).represent(data) for starts in (3, 1))
    assert several.objective[-10:].mean() <= single.objective[-10:].mean()  # the first of the three starts alike
    assert not np.array_equal(several.objective, single.objective)


def test_checkpoints_are_in_the_order_of_the_samples():
    data = example("simvc")
    found = made("simvc", checkpoints=3).represent(data)
    assert found.details["checkpoint_epochs"].tolist() == [4, 8, 12]
    assert np.array_equal(found.details["checkpoint_outcomes"][-1], found.labels)


def test_published_schedule():
    assert made("completer", size="paper").schedule(5000).batch_size == 256
    assert made("completer", size="paper").schedule(5000).learning_rate == 1e-4
    assert made("completer").schedule(400).batch_size == 64
    assert made("completer").schedule(400).learning_rate == 1e-3
    assert made("completer", learning_rate=0.5, batch_size=7).schedule(400).batch_size == 7


@pytest.mark.skipif(torch.cuda.is_available(), reason="a CUDA device is available")
def test_missing_device_is_named():
    with pytest.raises(InvalidSetting, match="torch finds no CUDA device"):
        made("ae-km", device="cuda").fit(example("ae-km"))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device is available")
@pytest.mark.parametrize("name", SPECS)
def test_losses_on_a_gpu_are_those_on_the_cpu(name):
    """Within 1 % of the range of the losses: sums are taken in another order there."""
    here, there = (made(name, device=device).fit(example(name)).objective_ for device in ("cpu", "cuda"))
    np.testing.assert_allclose(there, here, rtol=0, atol=0.01 * np.ptp(here))


@pytest.mark.parametrize("name", ["simvc", "comvc"])
def test_assignments_to_many_clusters_differ_from_the_start(name):
    """With weights of torch's default size all 100 assignments of a sample would be close to .01 (see simvc.py)."""
    samples = samples_of(blobs(200, dims=(12, 9), spread=3.0), torch.device("cpu"))
    model = made(name).model(samples, 100, generator_of(0)).train()
    assignments = model.assigned(model.codes(samples), samples.mask)[1]
    assert assignments.max(1).values.median().item() > 0.05


PROGRAM = """
import sys
from test_methods import SPECS, example, made
for name in sys.argv[1:]:
    found = made(name, max_iter=6).fit(example(name))
    print(name, found.labels_.tolist(), found.objective_.tolist())
"""


def test_two_processes_agree():
    environment = os.environ | {"PYTHONPATH": os.path.dirname(__file__), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", PROGRAM, *SPECS]
    runs = [subprocess.run(command, env=environment, capture_output=True, text=True, check=True) for _ in range(2)]
    assert runs[0].stdout == runs[1].stdout
    assert len(runs[0].stdout.splitlines()) == len(SPECS)
