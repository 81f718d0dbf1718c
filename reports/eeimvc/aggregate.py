"""EE-IMVC's Table 1 from a results database: ACC, NMI and purity aggregated over the missing rates.

    python reports/eeimvc/aggregate.py --db eeimvc.db --out reports/eeimvc

An aggregated score is the mean over the rates of the mean over the masks (of each mask the k-means restart of lowest
inertia). The deviation (n - 1) is that of the masks' means over the rates: none with a single mask. Writes
aggregated.csv and aggregated.md; refuses a database in which some method lacks a rate or a mask.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from mvarena.analysis.picks import counted_runs
from mvarena.store.database import open_database
from mvarena.store.frames import scores_frame

METHODS = ["mkkm-zf", "mkkm-mf", "mkkm-knn", "mkkm-af", "mkkm-ik", "limkkm", "eeimvc"]
METRICS = {"acc": "ACC", "nmi-max": "NMI", "purity": "Purity"}
# Liu et al., AAAI 2019, Table 1, in the order of METHODS: means over the rates .1 to .9 and 30 masks
PAPER = {
    ("Flower17", "acc"): [37.0, 36.8, 37.8, 40.8, 44.7, 47.9, 52.9],
    ("Flower102", "acc"): [18.0, 18.0, 18.3, 18.5, 21.5, 23.1, 36.4],
    ("CCV", "acc"): [16.2, 16.4, 16.6, 17.4, 18.1, 18.7, 23.4],
    ("Caltech102", "acc"): [14.0, 14.0, 15.4, 15.8, 17.3, 22.1, 31.9],
    ("Flower17", "nmi-max"): [37.3, 37.3, 38.4, 40.3, 43.7, 46.3, 51.4],
    ("Flower102", "nmi-max"): [37.4, 37.4, 37.8, 37.7, 39.6, 41.7, 50.8],
    ("CCV", "nmi-max"): [12.5, 12.7, 12.9, 13.3, 13.8, 15.1, 18.2],
    ("Caltech102", "nmi-max"): [37.7, 37.7, 39.1, 38.9, 40.4, 45.6, 52.9],
    ("Flower17", "purity"): [38.4, 38.2, 39.3, 42.2, 45.9, 48.8, 54.7],
    ("Flower102", "purity"): [22.5, 22.4, 22.9, 22.9, 26.0, 28.0, 41.8],
    ("CCV", "purity"): [20.4, 20.7, 20.8, 21.2, 21.9, 22.0, 26.5],
    ("Caltech102", "purity"): [15.3, 15.3, 16.9, 17.0, 18.6, 23.9, 34.3],
}


def aggregated(frame: pd.DataFrame) -> pd.DataFrame:
    """One row per metric, data set and method: mean and std in percent, rates, masks."""
    frame = frame.assign(trial_id=frame.groupby(["key", "dataset"]).ngroup())
    runs = counted_runs(frame[frame["metric"].isin(METRICS)], {})
    scores = runs.groupby(["metric", "dataset", "algorithm", "repeat", "rate"])["value"].mean().unstack("rate")
    if scores.isna().any(axis=None) or set(scores.index.get_level_values("algorithm")) != set(METHODS):
        raise SystemExit("some method lacks a rate or a mask; let the run finish, then aggregate.")
    by_mask = 100 * scores.mean(axis=1)
    table = by_mask.groupby(["metric", "dataset", "algorithm"]).agg(mean="mean", std="std", masks="count")
    return table.assign(rates=scores.shape[1]).reset_index()


def markdown(table: pd.DataFrame) -> str:
    """One table per metric, data sets as rows; the best is bold; then the rank correlations with the paper."""
    parts = []
    for metric, title in METRICS.items():
        rows = [f"| {title} | masks | {' | '.join(METHODS)} |", f"|---|--:|{'--:|' * len(METHODS)}"]
        for dataset, part in table[table["metric"] == metric].groupby("dataset"):
            found = part.set_index("algorithm").loc[METHODS]
            cells = [_cell(row.mean_, row.std_, found["mean"].max()) for row in _tuples(found)]
            rows.append(f"| {dataset} | {found['masks'].iloc[0]} | {' | '.join(cells)} |")
        for (name, of), means in PAPER.items():
            if of == metric:
                rows.append(f"| paper: {name} | 30 | {' | '.join(_cell(m, float('nan'), max(means)) for m in means)} |")
        parts.append("\n".join(rows))
    return "\n\n".join([*parts, correlations(table)]) + "\n"


def correlations(table: pd.DataFrame) -> str:
    """Spearman's rank correlation of each data set's methods with the paper's mean rank of them."""
    rows = ["| rank correlation with the paper | ACC | NMI | Purity |", "|---|--:|--:|--:|"]
    for dataset, part in table.groupby("dataset"):
        cells = []
        for metric in METRICS:
            paper = pd.DataFrame([m for (_, of), m in PAPER.items() if of == metric], columns=METHODS)
            ours = part[part["metric"] == metric].set_index("algorithm")["mean"].loc[METHODS]
            cells.append(f"{ours.rank().corr(paper.rank(axis=1).mean().rank()):.2f}")
        rows.append(f"| {dataset} | {' | '.join(cells)} |")
    return "\n".join(rows)


def _tuples(found: pd.DataFrame):  # type: ignore[no-untyped-def]
    return found.rename(columns={"mean": "mean_", "std": "std_"}).itertuples()


def _cell(mean: float, std: float, best: float) -> str:
    text = f"{mean:.1f}" + (f" ± {std:.1f}" if std == std else "")
    return f"**{text}**" if mean == best else text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--db", required=True, help="what `mvarena run` wrote")
    parser.add_argument("--out", type=Path, required=True, help="the folder for aggregated.csv and aggregated.md")
    options = parser.parse_args()
    with open_database(options.db, create=False, readonly=True) as db:
        table = aggregated(scores_frame(db, algorithms=METHODS, metrics=list(METRICS)))
    table.to_csv(options.out / "aggregated.csv", index=False, float_format="%.4f")
    (options.out / "aggregated.md").write_text(markdown(table))
    print(markdown(table))


if __name__ == "__main__":
    main()
