"""Checks of the scikit-learn interface (announced, cloned, pickled, parameters checked) and of seeds."""

from __future__ import annotations

import inspect
import pickle
import re
import sys

import numpy as np
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from mvarena.contracts.algorithm import MultiViewClusterer
from mvarena.contracts.parameters import parameters_of
from mvarena.errors import InvalidSetting
from mvarena.testing.algorithm.subject import SUITE, Contestant
from mvarena.testing.comparisons import ROUNDING, global_state, require_alike, same_partition
from mvarena.testing.parameters import bad_values, require_declared
from mvarena.testing.suites import refused, require

_OF_ALL = ("n_clusters", "n_init", "random_state")


@SUITE.check()
def announced(subject: Contestant) -> None:
    """The class finds the spec that announces it."""
    require(
        inspect.isclass(subject.kind) and issubclass(subject.kind, MultiViewClusterer),
        f"{subject.name}: the target must be a subclass of MultiViewClusterer.",
    )
    own = subject.kind.spec
    require(
        (own.name, own.capabilities) == (subject.spec.name, subject.spec.capabilities),
        f"{subject.name}: the class has the spec {own.name}; put it into a module `specs` beside the class, with "
        f"the target '{subject.kind.__module__}:{subject.kind.__qualname__}'.",
    )


@SUITE.check()
def parameters_described(subject: Contestant) -> None:
    """The docstring says of every parameter what it is."""
    text = _descriptions(subject.kind)
    for name in parameters_of(subject.kind):
        described = name in _OF_ALL or re.search(rf"\b{name}\b", text)
        require(described, f"{subject.name}: the docstring of {subject.kind.__name__} does not say what {name} is.")


@SUITE.check()
def parameters_declared(subject: Contestant) -> None:
    """Every parameter has a type and a default that its own declaration allows."""
    for name, item in inspect.signature(subject.kind).parameters.items():
        typed = item.annotation is not inspect.Parameter.empty
        require(typed, f"{subject.name}: say by an annotation what {name} may be, as in `{name}: Positive = 1.0`.")
    require_declared(subject.name, subject.kind)


@SUITE.check()
def bad_parameters_refused(subject: Contestant) -> None:
    """A value that the declaration rules out is refused with InvalidSetting, which names the parameter."""
    data = subject.data(20)
    for name, parameter in parameters_of(subject.kind).items():
        for value in bad_values(parameter):
            rule = f"{subject.name} must refuse {name}={value!r} with InvalidSetting: it must be {parameter.words}"
            with refused(InvalidSetting, rule) as text:
                subject.capped(1, **{name: value}).represent(data)
            error = text[0]
            assert isinstance(error, InvalidSetting)
            named = error.field == f"{subject.name}.{name}" and name in str(error)
            require(named, f"{subject.name}: the error for {name}={value!r} must name {subject.name}.{name}: {error}")


@SUITE.check()
def parameters_kept(subject: Contestant) -> None:
    """The constructor keeps its arguments as they are, so that get_params, set_params and clone work."""
    model = subject.made()
    for name, value in model.get_params(deep=False).items():
        odd = object()
        changed = subject.kind(**{name: odd})
        require(
            changed.get_params(deep=False)[name] is odd,
            f"{subject.name}: the constructor must keep {name} as it is given; check and convert it later.",
        )
        require(
            clone(model).set_params(**{name: value}).get_params(deep=False)[name] == value,
            f"{subject.name}: clone or set_params loses {name}.",
        )


@SUITE.check()
def pickled(subject: Contestant) -> None:
    """An estimator can be pickled before and after `fit`, and does the same afterwards."""
    data = subject.data()
    model = subject.capped(5)
    try:
        copy = pickle.loads(pickle.dumps(model)).fit(data)
        fitted = pickle.loads(pickle.dumps(model.fit(data)))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise AssertionError(f"{subject.name} cannot be pickled: {error}") from error
    same = all(same_partition(item.labels_, model.labels_) for item in (copy, fitted))
    require(same, f"{subject.name} gives other labels after it was pickled.")


def _descriptions(kind: type) -> str:
    """The docstrings of the class, of those that it inherits from, and of those to which they point (`Other`)."""
    own = [owner.__doc__ or "" for owner in kind.__mro__ if owner is not MultiViewClusterer]
    module = vars(sys.modules[kind.__module__])
    pointed = [getattr(module.get(name), "__doc__", "") or "" for text in own for name in re.findall(r"`(\w+)`", text)]
    return "\n".join([*own, *pointed])


# What chance may change: nothing under one seed, nothing at all where the capabilities say deterministic.

# two runs of one program on one machine: only what parallel sums leave
_SAME_RUN = 1e-10
_SHARED_WORK = (150, 120, 90)  # samples and columns of which OpenBLAS gives a part to a second thread
_STEPS = 3  # iterations: rounding that grows shows by then


@SUITE.check()
def same_seed_same_result(subject: Contestant) -> None:
    """Two fits with one random_state agree, and leave NumPy's global generator alone."""
    data = subject.data()
    before = global_state()
    first, second = (subject.capped(10, random_state=7).fit(data) for _ in range(2))
    sentence = f"{subject.name} gives two results for one random_state; draw from default_rng(self.random_state) only."
    require_alike(first.representation_, second.representation_, sentence, tolerance=_SAME_RUN)
    require((first.labels_ == second.labels_).all(), sentence)
    require(
        before == global_state(),
        f"{subject.name} draws from NumPy's global generator; use default_rng(self.random_state).",
    )


@SUITE.check(applies=lambda spec: spec.capabilities.deterministic)
def deterministic(subject: Contestant) -> None:
    """The representation does not depend on random_state, as `deterministic` says."""
    data = subject.data()
    first, second = (subject.capped(10, random_state=seed).represent(data) for seed in (0, 1))
    sentence = f"{subject.name} says deterministic=True but its representation depends on random_state."
    require_alike(first, second, sentence, tolerance=_SAME_RUN)


@SUITE.check(applies=lambda spec: spec.capabilities.any_threads)
def any_number_of_threads(subject: Contestant) -> None:
    """Linear algebra on one thread and on two gives the same objective and clusters, as `any_threads` says."""
    data = subject.data(_SHARED_WORK[0], dims=_SHARED_WORK[1:])
    values = []
    for threads in (1, 2):
        with threadpool_limits(threads, user_api="blas"):
            values.append(subject.capped(_STEPS, n_init=1).fit(data))
    item, two = (model.representation_ for model in values)
    sentence = (
        f"{subject.name} gives different results on one and on two threads; make it stable, or set any_threads=False."
    )
    with threadpool_limits(1, user_api="blas"):
        require_alike(item, two, sentence, noise=subject.noise(_STEPS, data))
    require(np.allclose(item.objective, two.objective, rtol=ROUNDING, atol=ROUNDING), sentence)
    require(same_partition(values[0].labels_, values[1].labels_), sentence)
