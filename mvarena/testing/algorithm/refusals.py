"""Checks of refusals: unsupported data raise Incompatible, in one sentence that names the algorithm."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from mvarena.data import MultiViewData
from mvarena.errors import Incompatible
from mvarena.testing.algorithm.subject import KINDS, SUITE, Contestant
from mvarena.testing.checks import refused, require
from mvarena.testing.examples import blobs


@SUITE.check(applies=lambda spec: len(spec.capabilities.kinds) < 3)
def other_kinds_refused(subject: Contestant) -> None:
    """Views of a kind that the capabilities do not name are refused."""
    for kind in KINDS:
        if kind not in subject.takes.kinds:
            _require_refusal(subject, subject.data(kind=kind, missing=0.0), f"{kind} views")


@SUITE.check(applies=lambda spec: not spec.capabilities.negative)
def negative_values_refused(subject: Contestant) -> None:
    """Negative features are refused where `negative` is False."""
    data = subject.data(missing=0.0)
    shifted = [replace(view, matrix=view.matrix - 1.0 - view.matrix.max()) for view in data.views]
    _require_refusal(subject, data.with_views(shifted), "negative values")


@SUITE.check(applies=lambda spec: not spec.capabilities.missing and spec.capabilities.max_views != 1)
def missing_samples_refused(subject: Contestant) -> None:
    """Samples that miss a view are refused where `missing` is False."""
    full = subject.data()
    mask = np.ones_like(full.mask)
    mask[0, 0] = False
    _require_refusal(subject, full.with_mask(mask), "samples that miss a view")


@SUITE.check(applies=lambda spec: spec.capabilities.min_views > 1)
def too_few_views_refused(subject: Contestant) -> None:
    """Fewer views than min_views are refused."""
    fewer = subject.takes.min_views - 1
    _require_refusal(subject, subject.data(n_views=fewer, missing=0.0), f"{fewer} views")


@SUITE.check(applies=lambda spec: spec.capabilities.max_views is not None)
def too_many_views_refused(subject: Contestant) -> None:
    """More views than max_views are refused."""
    assert subject.takes.max_views is not None
    more = subject.takes.max_views + 1
    data = blobs(45, dims=(4,) * more, kind=subject.kinds[0], nonnegative=not subject.takes.negative)
    _require_refusal(subject, data, f"{more} views")


@SUITE.check(applies=lambda spec: spec.capabilities.complete_samples > 0)
def too_few_complete_samples_refused(subject: Contestant) -> None:
    """Data with fewer samples in every view than complete_samples are refused."""
    data = subject.data(missing=0.0)
    mask = np.zeros_like(data.mask)
    mask[np.arange(data.n_samples), np.arange(data.n_samples) % data.n_views] = True
    _require_refusal(subject, data.with_mask(mask), "data without a complete sample")


@SUITE.check()
def impossible_clusters_refused(subject: Contestant) -> None:
    """More clusters than samples, and no number of clusters at all, are refused."""
    data = subject.data()
    _require_refusal(subject, data, "more clusters than samples", n_clusters=data.n_samples + 1)
    _require_refusal(subject, replace(data.without_labels(), n_clusters=None), "data without a number of clusters")


def _require_refusal(subject: Contestant, data: MultiViewData, what: str, **params: Any) -> None:
    with refused(Incompatible, f"{subject.name} must refuse {what} with Incompatible, as its capabilities say") as text:
        subject.made(**params).represent(data)
    sentence = str(text[0])
    require(
        "\n" not in sentence and sentence.endswith(".") and subject.name in sentence,
        f"{subject.name}: a refusal is one sentence that names the algorithm, not '{sentence}'.",
    )
