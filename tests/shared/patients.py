"""Tables of patients in three groups that differ in every view and in how long they live."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray


def write_patients(folder: Path, n: int, **widths: int) -> dict[str, NDArray[np.float64]]:
    """NAME.csv for each view, and clinic.csv in another order: days of about 10, 40 and 160, death, age; the views.

    widths : name of each view -> number of its features.
    """
    rng = np.random.default_rng(1)
    groups = np.arange(n) % 3
    ids = pd.Index([f"P{i:02d}" for i in range(n)], name="id")
    views = {}
    for name, width in widths.items():
        views[name] = rng.normal(scale=4.0, size=(3, width))[groups] + rng.normal(size=(n, width))
        features = [f"{name}{i}" for i in range(width)]
        pd.DataFrame(views[name], index=ids, columns=features).to_csv(folder / f"{name}.csv")
    days = np.round(rng.exponential(np.array([10.0, 40.0, 160.0])[groups]), 1)
    clinic = pd.DataFrame({"days": days, "death": rng.integers(0, 2, n), "age": 50 + 10 * groups}, index=ids)
    clinic.sample(frac=1.0, random_state=0).to_csv(folder / "clinic.csv")
    return views
