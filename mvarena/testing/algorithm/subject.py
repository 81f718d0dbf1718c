"""Algorithm under test, with values for the parameters that users must choose, and data that it takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import cycle, islice
from typing import Any

import numpy as np

from mvarena.contracts.algorithm import MultiViewClusterer
from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.parameters import parameters_of
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.data import Kind, MultiViewData
from mvarena.testing.comparisons import difference
from mvarena.testing.examples import KINDS as KINDS
from mvarena.testing.examples import blobs
from mvarena.testing.suites import Suite

_DIMS = (5, 8, 6, 7, 4, 9)


@dataclass(frozen=True)
class Contestant:
    """A spec and the class behind it."""

    spec: AlgorithmSpec
    kind: Any

    @property
    def name(self) -> str:
        return self.spec.name

    @property
    def takes(self) -> Capabilities:
        return self.spec.capabilities

    @property
    def kinds(self) -> list[Kind]:
        """The kinds of view that it takes, the plainest first."""
        return [kind for kind in KINDS if kind in self.takes.kinds]

    def made(self, **params: Any) -> MultiViewClusterer:
        """The estimator with its defaults, and a value for what the literature picks by labels."""
        made: MultiViewClusterer = self.kind(**({"n_init": 5, "random_state": 0} | self._picked() | params))
        return made

    def capped(self, max_iter: int, /, **params: Any) -> MultiViewClusterer:
        """Contestant with few iterations where their number is a parameter."""
        cap = {"max_iter": max_iter} if "max_iter" in parameters_of(self.kind) else {}
        return self.made(**(cap | params))

    def data(
        self,
        n_samples: int = 42,
        *,
        n_views: int | None = None,
        missing: float = 0.2,
        kind: Kind | None = None,
        dims: tuple[int, ...] = _DIMS,
        seed: int = 0,
        **options: Any,
    ) -> MultiViewData:
        """Three groups of samples in a form that it takes; some samples miss views where it takes that."""
        if n_views is None:
            n_views = max(2, self.takes.min_views)
        if self.takes.max_views is not None:
            n_views = min(n_views, self.takes.max_views)
        share = missing if self.takes.missing and n_views > 1 else 0.0
        return blobs(
            n_samples,
            dims=tuple(islice(cycle(dims), n_views)),
            missing=share,
            kind=kind or self.kinds[0],
            nonnegative=not self.takes.negative,
            seed=seed,
            **options,
        )

    def noise(self, max_iter: int, data: MultiViewData) -> Callable[[], float]:
        """Change of the representation when the 13th digit of the data changes.

        Some problems have no solution that rounding leaves alone: eigenvectors beyond the rank, a method whose
        parameters do not fit so few samples. Nothing can be asked of their representations then.
        """

        def change() -> float:
            rng = np.random.default_rng(0)
            moved = (_symmetric(1 + 1e-13 * rng.standard_normal(view.matrix.shape), view.kind) for view in data.views)
            views = [replace(view, matrix=view.matrix * by) for view, by in zip(data.views, moved, strict=True)]
            values = [self.capped(max_iter).represent(item) for item in (data, data.with_views(views))]
            return difference(values[0], values[1])

        return change

    def _picked(self) -> dict[str, Any]:
        name = self.spec.picks_by_labels
        parameters = parameters_of(self.kind)
        if name is None or name not in parameters or parameters[name].default is not None:
            return {}
        choices = [choice for choice in parameters[name].choices if choice is not None]
        return {name: choices[0] if choices else "v0" if name == "view" else 1}


def _symmetric(matrix: Any, kind: Kind) -> Any:
    return matrix if kind == "features" else (matrix + matrix.T) / 2


SUITE = Suite(Contestant)
