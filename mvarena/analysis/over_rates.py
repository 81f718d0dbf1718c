"""Scores aggregated over the rates, as in Table 1 of EE-IMVC (Liu et al., AAAI 2019): one number per data set."""

from __future__ import annotations

from typing import Any

import pandas as pd

_ENTRY = ["dataset", "corruption", "contestant", "metric"]
INCOMPLETE = "INCOMPLETE"
OVER_RATES_COLUMNS = (
    *_ENTRY, "algorithm", "mean", "std", "fit_s", "rate", "n_rates", "of_rates", "n_repeats", "of_repeats", "status",
    "reason", "label_picked",
)  # fmt: skip


def over_rates(values: pd.DataFrame) -> pd.DataFrame:
    """One row per data set, corruption, contestant and metric, columns OVER_RATES_COLUMNS.

    values : what `mvarena.analysis.trial_values.trial_values` returns.
    mean : over the repeats of the mean over the rates. std : of the repeats' means (n - 1), NaN for a single repeat.
    rate : the only one; NaN where there are several.
    of_rates : how many rates anybody has on that data set under that corruption; n_rates : at how many of them the
        contestant has a value. A repeat that lacks a rate is left out: n_repeats of of_repeats are not.
    status : DONE where there is a mean; else what became of most trials, or INCOMPLETE where no repeat has all rates.
    fit_s : mean seconds per fit over the same trials. Cost O(rows log rows).
    """
    if values.empty:
        return pd.DataFrame(columns=list(OVER_RATES_COLUMNS))
    of_rates = values.groupby(["dataset", "corruption"])["rate"].nunique()
    rows = [
        dict(zip(_ENTRY, entry, strict=True)) | _entry(part, int(of_rates[entry[:2]]))
        for entry, part in values.groupby(_ENTRY, sort=False)
    ]
    return pd.DataFrame(rows, columns=list(OVER_RATES_COLUMNS))


def _entry(part: pd.DataFrame, of_rates: int) -> dict[str, Any]:
    valued = part[part["value"].notna()]
    repeats = valued.groupby(["seed", "repeat"]).agg(
        value=("value", "mean"), rates=("rate", "nunique"), fit_s=("fit_s", "mean")
    )
    whole = repeats[repeats["rates"] == of_rates]
    n_repeats = len(part.drop_duplicates(["seed", "repeat"]))
    unfinished = part.loc[part["status"] != "DONE", "status"]
    why = unfinished.mode().iloc[0] if len(unfinished) else "UNSCORED"
    status = "DONE" if len(whole) else INCOMPLETE if len(valued) else why
    reasons = part.loc[part["status"] != "DONE", "reason"].replace("", pd.NA).dropna()
    return {
        "algorithm": part["algorithm"].iloc[0],
        "mean": whole["value"].mean(),
        "std": whole["value"].std(),
        "fit_s": whole["fit_s"].mean(),
        "rate": float(part["rate"].iloc[0]) if of_rates == 1 else float("nan"),
        "n_rates": int(valued["rate"].nunique()),
        "of_rates": of_rates,
        "n_repeats": len(whole),
        "of_repeats": n_repeats,
        "status": status,
        "reason": str(reasons.iloc[0]) if len(reasons) else "",
        "label_picked": bool(part["label_picked"].any()),
    }
