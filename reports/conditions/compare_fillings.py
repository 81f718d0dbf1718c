"""What fills missing samples best: python reports/conditions/compare_fillings.py conditions.db filling.db

Beside the fillings stands what a method does by itself ("own": graph methods isolate a missing sample, daimc gives it
no weight, and so on), from the study of scalings; "-" for methods that need complete data. Writes fillings.md beside
this file. Nothing runs. Needs the data (MVARENA_DATA).
"""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd

from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import open_database
from mvarena.store.frames import scores_frame
from mvarena.study.model import Study
from mvarena.study.plan import plan_study

HERE = Path(__file__).parent
DATASETS = ("bbcsport", "3sources-complete", "webkb-cornell", "webkb-washington", "webkb-texas", "msrcv1", "orl-4view")
ALTERNATIVES = {
    "own": {"scale": ("auto",), "fill": "mean"},
    "mean": {"prepare": ("scale-auto,fill-mean",)},
    "zero": {"prepare": ("scale-auto,fill-zero",)},
    "knn": {"prepare": ("scale-auto,fill-knn",)},
}


def measured(databases: list[str]) -> pd.DataFrame:
    """Columns algorithm, dataset, alternative, metric, value: the mean over restarts (of bsv-*: over views, too)."""
    catalog = installed_catalog()
    names = tuple(catalog.names("algorithm"))
    parts = []
    for database, alternatives in zip(databases, (["own"], ["mean", "zero", "knn"]), strict=True):
        with open_database(database, create=False) as db:
            for alternative in alternatives:
                study = Study(
                    algorithms=names,
                    datasets=DATASETS,
                    protocol="average",
                    repeats=1,
                    restarts=5,
                    **ALTERNATIVES[alternative],
                )
                keys = [trial.key for trial in plan_study(study, catalog).trials]
                frame = scores_frame(db, keys=keys, metrics=("acc", "nmi"))
                parts.append(frame.drop_duplicates(["key", "restart", "metric"]).assign(alternative=alternative))
    frame = pd.concat(parts)
    takes = {name for name in names if catalog.algorithm(name).capabilities.missing}
    frame = frame[(frame["status"] == "DONE") & ((frame["alternative"] != "own") | frame["algorithm"].isin(takes))]
    return frame.groupby(["algorithm", "dataset", "alternative", "metric"])["value"].mean().reset_index()


def table(values: pd.DataFrame) -> pd.DataFrame:
    """Mean ACC / NMI in percent per method and filling, over the data sets that all of its fillings have."""
    wide = values.pivot_table(index=["algorithm", "metric", "dataset"], columns="alternative", values="value")
    rows = []
    for name, part in wide.groupby("algorithm"):
        there = [one for one in ALTERNATIVES if part[one].notna().any()] if set(ALTERNATIVES) <= set(part) else []
        if not {"mean", "zero", "knn"} <= set(there):
            continue
        means = 100 * part[there].dropna().groupby("metric").mean()
        cells = {one: f"{means.loc['acc', one]:.1f} / {means.loc['nmi', one]:.1f}" for one in there}
        best = means.loc["nmi"].idxmax()
        cells[best] = f"**{cells[best]}**"
        rows.append({"method": name, **{one: cells.get(one, "-") for one in ALTERNATIVES}})
    return pd.DataFrame(rows)


def main(databases: list[str]) -> None:
    text = table(measured(databases)).to_markdown(index=False)
    (HERE / "fillings.md").write_text(f"{text}\n\nData sets: {', '.join(DATASETS)}.\n")
    print(text)


if __name__ == "__main__":
    main(sys.argv[1:3])
