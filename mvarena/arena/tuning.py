"""Gains of tuning: each method with its defaults, chosen without classes, and best by classes, on the same points."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from mvarena.analysis.comparison import mean_interval
from mvarena.analysis.picking import picks_among
from mvarena.arena.suites import METRICS, STABILITY
from mvarena.store.database import Database
from mvarena.store.frames import scores_frame
from mvarena.store.trials import done_trials
from mvarena.text import listed, plural

MAIN = METRICS[0]
# column of the page -> the criterion (`mvarena list pickers`) that chooses; the last needs the classes
CRITERIA = {"default": "default", "chosen": STABILITY, "consensus": "consensus", "best": "oracle"}
TUNING_COLUMNS = ("method", "corpus", *CRITERIA, "points")
TABLE_COLUMNS = (
    "method", "default", "default_low", "default_high", "chosen", "chosen_low", "chosen_high", "consensus",
    "consensus_low", "consensus_high", "best", "best_low", "best_high", "gain", "gain_low", "gain_high", "points",
    "corpora",
)  # fmt: skip
_POINT = ["algorithm", "dataset", "corruption", "rate", "seed", "repeat"]
MOVED = 3  # places that are worth a word


def tuning(db: Database, keys: Iterable[str]) -> pd.DataFrame:
    """One row per method with a grid among the trials of `keys` and corpus, columns TUNING_COLUMNS, by name.

    default, chosen, consensus, best : the first metric of the arena in percent, a mean over the corpus's conditions,
    then its data sets: of the default parameters, of those that the criterion `stability` chooses without classes, of
    the consensus of all settings, and of the best setting by classes. All four are over the same `points` (a data set
    under a condition and a repeat): those at which the default finished and the stability of every finished setting is
    stored.

    The labels of all trials must be stored. Cost: that of the criteria, by the labels of all settings.
    """
    wanted = set(keys)
    trials = [trial for trial in done_trials(db) if trial.key in wanted]
    picked = picks_among(db, [MAIN], trials, pickers=tuple(CRITERIA.values()))
    if picked.empty:
        return pd.DataFrame(columns=list(TUNING_COLUMNS))
    corpora = scores_frame(db, keys=sorted(wanted), metrics=[MAIN]).drop_duplicates("dataset")
    corpus = corpora.set_index("dataset")["corpus"]
    picked = picked[~picked["unscored"]]
    wide = picked.pivot_table(index=_POINT, columns="picker", values="score").reindex(columns=list(CRITERIA.values()))
    wide = wide.dropna().rename(columns={criterion: name for name, criterion in CRITERIA.items()}).reset_index()
    wide = wide.assign(corpus=wide["dataset"].map(corpus))
    place = ["algorithm", "corpus"]
    means = 100 * wide.groupby([*place, "dataset"])[list(CRITERIA)].mean().groupby(level=place).mean()
    rows = means.assign(points=wide.groupby(place).size()).reset_index().rename(columns={"algorithm": "method"})
    return rows[list(TUNING_COLUMNS)]


def tuning_table(rows: pd.DataFrame) -> pd.DataFrame:
    """One row per method, columns TABLE_COLUMNS, by `chosen`, the best first.

    rows : of `tuning`, on the corpora on which methods are compared. Of each column the mean over corpora, with its
    95 % t-interval (low, high). gain : of `chosen` over `default`, paired. points, corpora : how many.
    """
    lines = [_line(str(method), part) for method, part in rows.groupby("method")]
    frame = pd.DataFrame(lines, columns=list(TABLE_COLUMNS))
    return frame.sort_values(["chosen", "method"], ascending=[False, True], kind="stable").reset_index(drop=True)


def _line(method: str, rows: pd.DataFrame) -> tuple[object, ...]:
    columns = [*(rows[name] for name in CRITERIA), rows["chosen"] - rows["default"]]
    numbers = [number for column in columns for number in mean_interval(column.to_numpy(float))]
    return (method, *numbers, int(rows["points"].sum()), len(rows))


def tuning_sentences(table: pd.DataFrame) -> list[str]:
    """Sentences on a `tuning_table`: what a choice without classes gives, what an oracle gives, who moves, and for whom
    it matters."""
    gains, oracle = table["gain"], table["best"] - table["default"]
    clear = table[(table["gain_low"] > 0) | (table["gain_high"] < 0)]
    by_default = table["default"].rank(ascending=False, method="first")
    by_choice = table["chosen"].rank(ascending=False, method="first")
    moved = table.loc[(by_default - by_choice).abs() > MOVED, "method"]
    first = (table["method"][by_default.idxmin()], table["method"][by_choice.idxmin()])
    return [
        f"Over {plural(len(table), 'method')} with a grid, parameters chosen without classes (by {STABILITY}) change "
        f"the mean NMI by {gains.mean():+z.1f} points against the defaults, the consensus of all settings by "
        f"{(table['consensus'] - table['default']).mean():+z.1f}, and the best setting by classes* by "
        f"{oracle.mean():+z.1f}.",
        f"The gain of the choice without classes is clear (95 % interval over corpora) for "
        f"{listed([f'{row.method} ({row.gain:+z.1f})' for row in clear.itertuples()], most=8)}."
        if len(clear)
        else "The gain of the choice without classes is clear (95 % interval over corpora) for no method.",
        f"{first[0]} is first by its defaults and {first[1] if first[1] != first[0] else 'also'} by chosen parameters; "
        f"{plural(len(moved), 'method')} of {len(table)} {'moves' if len(moved) == 1 else 'move'} by more than "
        f"{MOVED} places.",
    ]
