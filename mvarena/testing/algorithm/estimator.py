"""That it is an estimator like scikit-learn's: announced, described, cloned, pickled, its parameters checked."""

from __future__ import annotations

import inspect
import pickle
import re
import sys

from sklearn.base import clone

from mvarena.contracts.algorithm import MultiViewClusterer
from mvarena.contracts.parameters import parameters_of
from mvarena.errors import InvalidSetting
from mvarena.testing.algorithm.subject import SUITE, Contestant
from mvarena.testing.checks import refused, require
from mvarena.testing.comparisons import same_partition
from mvarena.testing.parameters import bad_values, require_declared

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
        f"{subject.name}: the class says it is {own.name}; put its spec into a module `specs` beside the class, with "
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
    for name, one in inspect.signature(subject.kind).parameters.items():
        typed = one.annotation is not inspect.Parameter.empty
        require(typed, f"{subject.name}: say by an annotation what {name} may be, as in `{name}: Positive = 1.0`.")
    require_declared(subject.name, subject.kind)


@SUITE.check()
def bad_parameters_refused(subject: Contestant) -> None:
    """A value that the declaration rules out is refused with InvalidSetting, which names the parameter."""
    data = subject.data(20)
    for name, parameter in parameters_of(subject.kind).items():
        for value in bad_values(parameter):
            asked = f"{subject.name} must refuse {name}={value!r} with InvalidSetting: it must be {parameter.words}"
            with refused(InvalidSetting, asked) as said:
                subject.capped(1, **{name: value}).represent(data)
            error = said[0]
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
    same = all(same_partition(one.labels_, model.labels_) for one in (copy, fitted))
    require(same, f"{subject.name} gives other labels after it was pickled.")


def _descriptions(kind: type) -> str:
    """The docstrings of the class, of those that it inherits from, and of those to which they point (`Other`)."""
    own = [owner.__doc__ or "" for owner in kind.__mro__ if owner is not MultiViewClusterer]
    module = vars(sys.modules[kind.__module__])
    pointed = [getattr(module.get(name), "__doc__", "") or "" for text in own for name in re.findall(r"`(\w+)`", text)]
    return "\n".join([*own, *pointed])
