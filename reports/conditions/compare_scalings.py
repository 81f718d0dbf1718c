"""What scaling changes for every method: python reports/conditions/compare_scalings.py conditions.db

Plans the study's alternatives (`ALTERNATIVES`) on the data sets that the database holds whole, looks their trials up by
key, and writes table.md, ranks.md and scaling.png beside this file. Nothing runs. Needs the data (MVARENA_DATA).
"""

from __future__ import annotations

import sys
from itertools import combinations
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import open_database
from mvarena.store.frames import scores_frame
from mvarena.study.model import Study
from mvarena.study.plan import plan_study

HERE = Path(__file__).parent
TEXTS = ("bbcsport", "3sources-complete", "3sources", "webkb-cornell", "webkb-texas", "webkb-washington",
         "webkb-wisconsin")  # fmt: skip
DATASETS = (*TEXTS, "msrcv1", "orl-4view", "prokaryotic", "kernel-yale", "kernel-cornell")
ALTERNATIVES = {
    "auto": {"scale": ("auto",), "fill": "mean"},
    "none": {"scale": ("none",), "fill": "mean"},
    "unit-rows": {"scale": ("unit-rows",), "fill": "mean"},
    "minmax": {"scale": ("minmax",), "fill": "mean"},
    "paper": {"prepare": ("paper",)},
}
COLOURS = {"auto": "#000000", "none": "#999999", "unit-rows": "#0072B2", "minmax": "#D55E00", "paper": "#009E73"}


def measured(database: str) -> pd.DataFrame:
    """Columns algorithm, dataset, alternative, metric, value: the mean over restarts (of bsv-*: over views, too)."""
    catalog = installed_catalog()
    names = tuple(catalog.names("algorithm"))
    parts = []
    with open_database(database, create=False) as db:
        for dataset in DATASETS:
            for alternative, settings in ALTERNATIVES.items():
                study = Study(
                    algorithms=names, datasets=(dataset,), protocol="average", repeats=1, restarts=5, **settings
                )
                keys = [trial.key for trial in plan_study(study, catalog).trials]
                frame = scores_frame(db, keys=keys, metrics=("acc", "nmi"))
                parts.append(frame.drop_duplicates(["key", "restart", "metric"]).assign(alternative=alternative))
    frame = pd.concat(parts)
    done = frame[frame["status"] == "DONE"].groupby(["algorithm", "dataset", "alternative", "metric"])["value"].mean()
    return done.reset_index()


def compared(values: pd.DataFrame) -> pd.DataFrame:
    """Method x data set rows with one column per alternative, where all alternatives finished."""
    wide = values.pivot_table(index=["metric", "algorithm", "dataset"], columns="alternative", values="value")
    return wide[list(ALTERNATIVES)].dropna()


def per_method(wide: pd.DataFrame) -> pd.DataFrame:
    """Mean ACC / NMI in percent of each method over the data sets on which all alternatives finished."""
    means = 100 * wide.groupby(["algorithm", "metric"]).mean()
    counts = wide.loc["nmi"].groupby("algorithm").size()
    rows = []
    for name in sorted(counts.index, key=lambda name: -means.loc[(name, "nmi"), "auto"]):
        acc, nmi = means.loc[(name, "acc")], means.loc[(name, "nmi")]
        best = nmi.idxmax()
        cells = {one: f"{acc[one]:.1f} / {nmi[one]:.1f}" for one in ALTERNATIVES}
        cells[best] = f"**{cells[best]}**"
        rows.append({"method": name, "data sets": counts[name], **cells})
    return pd.DataFrame(rows)


def per_alternative(wide: pd.DataFrame) -> pd.DataFrame:
    """Mean ACC and NMI over method x data set, on all data and on texts; mean rank by NMI among the alternatives."""
    nmi = wide.loc["nmi"]
    texts = wide[wide.index.get_level_values("dataset").isin(TEXTS)]
    found = {
        "ACC": 100 * wide.loc["acc"].mean(),
        "NMI": 100 * nmi.mean(),
        "ACC, texts": 100 * texts.loc["acc"].mean(),
        "NMI, texts": 100 * texts.loc["nmi"].mean(),
        "mean rank (NMI)": nmi.rank(axis=1, ascending=False).mean(),
    }
    return pd.DataFrame(found).round(1).rename_axis("scaling").reset_index()


def order_correlations(wide: pd.DataFrame) -> pd.DataFrame:
    """Spearman correlation between the orders of the methods (by mean NMI) that two alternatives give."""
    orders = wide.loc["nmi"].groupby("algorithm").mean()
    rows = [
        {"scaling": one, "against": other, "correlation": round(orders[one].corr(orders[other], method="spearman"), 2)}
        for one, other in combinations(ALTERNATIVES, 2)
    ]
    return pd.DataFrame(rows)


def drawn(wide: pd.DataFrame) -> Figure:
    """Mean NMI of every method, a point per alternative; methods by their NMI under auto."""
    means = 100 * wide.loc["nmi"].groupby("algorithm").mean().sort_values("auto")
    figure = Figure(figsize=(6.4, 0.21 * len(means) + 1.1), layout="constrained")
    axis = figure.subplots()
    places = range(len(means))
    axis.hlines(places, means.min(axis=1), means.max(axis=1), color="0.85", linewidth=3.0)
    for one, marker in zip(ALTERNATIVES, "os^vD", strict=True):
        axis.plot(means[one], places, marker, color=COLOURS[one], label=one, markersize=4.5, markeredgewidth=0.0)
    axis.set_yticks(places, means.index, fontsize=7.5)
    axis.set_xlabel("mean NMI (%)")
    axis.margins(y=0.02)
    axis.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside upper center", ncols=len(ALTERNATIVES), frameon=False, fontsize=8)
    return figure


def main(database: str) -> None:
    wide = compared(measured(database))
    (HERE / "table.md").write_text(per_method(wide).to_markdown(index=False) + "\n")
    parts = [per_alternative(wide).to_markdown(index=False), order_correlations(wide).to_markdown(index=False)]
    sets = sorted(wide.index.get_level_values("dataset").unique())
    (HERE / "ranks.md").write_text("\n\n".join([*parts, f"Data sets: {', '.join(sets)}."]) + "\n")
    drawn(wide).savefig(HERE / "scaling.png", dpi=150, metadata={"Software": "mvarena"})
    print((HERE / "ranks.md").read_text())


if __name__ == "__main__":
    main(sys.argv[1])
