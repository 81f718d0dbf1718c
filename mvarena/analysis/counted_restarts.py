"""The sign of a metric: whether higher is better."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray


def signs_of(metrics: Iterable[str], directions: Mapping[str, bool]) -> NDArray[np.float64]:
    """Metric by metric, 1 where higher is better and -1 where lower is; higher where it is not known."""
    return np.array([1.0 if directions.get(metric, True) else -1.0 for metric in metrics])
