"""What chance may change: nothing under one seed, nothing at all where the capabilities say deterministic."""

from __future__ import annotations

from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from mvarena.testing.algorithm.subject import SUITE, Contestant
from mvarena.testing.checks import require
from mvarena.testing.comparisons import ROUNDING, require_alike, same_partition
from mvarena.testing.threads import threads_for

# two runs of one program on one machine: only what parallel sums leave
_SAME_RUN = 1e-10
_SHARED_WORK = (150, 120, 90)  # samples and columns of which OpenBLAS gives a part to a second thread
_STEPS = 3  # iterations: rounding that grows shows by then
_TOGETHER_S = 2.0  # of CPU time on two threads; three such iterations take less on cores that nobody else uses


@SUITE.check()
def same_seed_same_result(subject: Contestant) -> None:
    """Two fits with one random_state agree, and leave NumPy's global generator alone."""
    data = subject.data()
    before = _global_state()
    first, second = (subject.capped(10, random_state=7).fit(data) for _ in range(2))
    sentence = f"{subject.name} gives two results for one random_state; draw from default_rng(self.random_state) only."
    require_alike(first.representation_, second.representation_, sentence, tolerance=_SAME_RUN)
    require((first.labels_ == second.labels_).all(), sentence)
    require(
        before == _global_state(),
        f"{subject.name} draws from NumPy's global generator; use default_rng(self.random_state).",
    )


@SUITE.check(applies=lambda spec: spec.capabilities.deterministic)
def deterministic(subject: Contestant) -> None:
    """The representation does not depend on random_state, as `deterministic` says."""
    data = subject.data()
    first, second = (subject.capped(10, random_state=seed).represent(data) for seed in (0, 1))
    sentence = f"{subject.name} says deterministic=True and its representation depends on random_state."
    require_alike(first, second, sentence, tolerance=_SAME_RUN)


@SUITE.check(applies=lambda spec: spec.capabilities.any_threads)
def any_number_of_threads(subject: Contestant) -> None:
    """Linear algebra on one thread and on two gives the same objective and clusters, as `any_threads` says."""
    data = subject.data(_SHARED_WORK[0], dims=_SHARED_WORK[1:])
    found = []
    for threads in (1, 2):
        with threads_for(threads, _TOGETHER_S):
            found.append(subject.capped(_STEPS, n_init=1).fit(data))
    one, two = (model.representation_ for model in found)
    sentence = (
        f"{subject.name} gives another result on two threads than on one; make it stable, or say any_threads=False."
    )
    with threadpool_limits(1, user_api="blas"):
        require_alike(one, two, sentence, noise=subject.noise(_STEPS, data))
    require(np.allclose(one.objective, two.objective, rtol=ROUNDING, atol=ROUNDING), sentence)
    require(same_partition(found[0].labels_, found[1].labels_), sentence)


def _global_state() -> Any:
    state: Any = np.random.get_state(legacy=False)  # noqa: NPY002  # what must not change
    return state["state"]["key"].tobytes(), state["state"]["pos"]
