"""Scores aggregated over the rates, as in Table 1 of EE-IMVC (Liu et al., AAAI 2019): one number per data set."""

from __future__ import annotations

import pandas as pd

_ENTRY = ["dataset", "corruption", "contestant", "metric"]
_REPEAT = ["seed", "repeat"]
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
    whole = repeats_over_rates(values)
    known = values[values["value"].notna()]
    entries = values.groupby(_ENTRY, sort=False)
    rows = entries.agg(
        algorithm=("algorithm", "first"), label_picked=("label_picked", "any"), first_rate=("rate", "first")
    )
    repeats = values.drop_duplicates([*_ENTRY, *_REPEAT])
    counts = whole.groupby(_ENTRY)
    rows = rows.join(
        [
            counts.agg(
                mean=("value", "mean"), std=("value", "std"), fit_s=("fit_s", "mean"), n_repeats=("value", "size")
            ),
            known.groupby(_ENTRY)["rate"].nunique().rename("n_rates"),
            repeats.groupby(_ENTRY).size().rename("of_repeats"),
            _ends(values),
        ]
    ).reset_index()
    rows["of_rates"] = _of_rates(rows, values)
    counted = ["n_repeats", "n_rates", "of_repeats"]
    rows[counted] = rows[counted].fillna(0).astype(int)
    unfinished = rows["ended"].fillna("UNSCORED").where(rows["n_rates"] == 0, INCOMPLETE)
    status = unfinished.where(rows["n_repeats"] == 0, "DONE")
    rate = rows["first_rate"].astype(float).where(rows["of_rates"] == 1)
    rows = rows.assign(status=status, rate=rate, reason=rows["reason"].fillna(""))
    return rows[list(OVER_RATES_COLUMNS)]


def repeats_over_rates(values: pd.DataFrame) -> pd.DataFrame:
    """One row per data set, corruption, contestant, metric, seed and repeat that has a value at every rate that anybody
    has there: value and fit_s, the means over the rates, and label_picked."""
    known = values[values["value"].notna()]
    means = known.groupby([*_ENTRY, *_REPEAT], sort=False).agg(
        value=("value", "mean"),
        fit_s=("fit_s", "mean"),
        rates=("rate", "nunique"),
        label_picked=("label_picked", "any"),
    )
    means = means.reset_index()
    return means[means["rates"].to_numpy() == _of_rates(means, values).to_numpy()]


def _of_rates(rows: pd.DataFrame, values: pd.DataFrame) -> pd.Series:
    """Row by row, how many rates anybody has on its data set under its corruption."""
    counts = values.groupby(["dataset", "corruption"])["rate"].nunique().rename("of_rates").reset_index()
    return rows[["dataset", "corruption"]].merge(counts, how="left")["of_rates"]


def _ends(values: pd.DataFrame) -> pd.DataFrame:
    """How most of an entry's unfinished trials ended (of equally many the first by name), and the first reason."""
    unfinished = values[values["status"] != "DONE"]
    counts = unfinished.groupby([*_ENTRY, "status"]).size().rename("count").reset_index()
    most = counts.sort_values(["count", "status"], ascending=[False, True], kind="stable").drop_duplicates(_ENTRY)
    said = unfinished[unfinished["reason"].fillna("") != ""].drop_duplicates(_ENTRY)
    return (
        most.set_index(_ENTRY)[["status"]]
        .rename(columns={"status": "ended"})
        .join(said.set_index(_ENTRY)[["reason"]], how="left")
    )
