"""The stored trials that are run again as a sample: every algorithm before any twice, the quickest first, in time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pandas as pd

from mvarena.papers.reproduce import sample


def chosen(seconds: dict[tuple[str, str], float], budget: float) -> list[tuple[str, str]]:
    trials: Any = [SimpleNamespace(key=f"{a}-{d}", algorithm=a, dataset=d) for a, d in seconds]
    keys = [trial.key for trial in trials]
    stored: Any = SimpleNamespace(
        trials=pd.DataFrame({"key": keys, "cpu_s": list(seconds.values())}),
        scores=pd.DataFrame({"key": keys, "value": 0.5}),
    )
    return [(trial.algorithm, trial.dataset) for trial in sample(trials, stored, budget)]


def test_each_algorithm_comes_before_any_comes_twice() -> None:
    seconds = {("a", "x"): 1.0, ("a", "y"): 1.1, ("a", "z"): 1.2, ("b", "x"): 2.0, ("b", "y"): 3.0}
    assert chosen(seconds, 100.0) == [("a", "x"), ("b", "x"), ("a", "y"), ("b", "y"), ("a", "z")]
    assert chosen(seconds, 3.5) == [("a", "x"), ("b", "x")]
    assert chosen(seconds, 0.5) == []
