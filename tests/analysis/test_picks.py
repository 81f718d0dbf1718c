"""What of a trial's runs counts, by protocol."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from mvarena.analysis.counted_restarts import counted_runs
from mvarena.errors import InvalidSetting

NAN = float("nan")


def runs(values: list[float], inertia: list[float], pick: str, metric: str = "acc") -> pd.DataFrame:
    return pd.DataFrame(
        {
            "trial_id": 0,
            "restart": range(len(values)),
            "metric": metric,
            "value": values,
            "inertia": inertia,
            "pick": pick,
        }
    )


def counted(frame: pd.DataFrame, higher: bool = True) -> list[float]:
    return list(counted_runs(frame, {"acc": higher})["value"])


def test_mean_keeps_every_run() -> None:
    assert counted(runs([0.1, 0.9, 0.5], [3, 2, 1], "mean")) == [0.1, 0.9, 0.5]


def test_lowest_inertia_keeps_that_restart_however_bad_its_score() -> None:
    assert counted(runs([0.1, 0.9, 0.5], [3, 2, 1], "lowest-inertia")) == [0.5]


def test_equal_inertia_takes_the_first_and_unknown_inertia_the_last_place() -> None:
    assert counted(runs([0.1, 0.9], [1, 1], "lowest-inertia")) == [0.1]
    assert counted(runs([0.1, 0.9], [NAN, 5], "lowest-inertia")) == [0.9]
    assert counted(runs([0.1, 0.9], [NAN, NAN], "lowest-inertia")) == [0.1]


def test_lowest_inertia_does_not_step_over_a_nan() -> None:
    assert math.isnan(counted(runs([NAN, 0.9], [1, 2], "lowest-inertia"))[0])


@pytest.mark.parametrize(("higher", "best"), [(True, 0.9), (False, 0.1)])
def test_best_by_labels_follows_the_metrics_direction(higher: bool, best: float) -> None:
    assert counted(runs([0.1, NAN, 0.9, 0.5], [1, 2, 3, 4], "best-by-labels"), higher) == [best]


def test_each_metric_has_its_own_best() -> None:
    both = pd.concat([runs([0.1, 0.9], [0, 0], "best-by-labels"), runs([0.8, 0.2], [0, 0], "best-by-labels", "nmi")])
    found = counted_runs(both, {"acc": True, "nmi": True}).set_index("metric")["value"]
    assert found.to_dict() == {"acc": 0.9, "nmi": 0.8}


def test_an_unknown_pick_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="'luckiest' is not a way to pick a run; the known ones are mean"):
        counted_runs(runs([0.1], [1], "luckiest"), {})
