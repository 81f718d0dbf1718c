"""One written sentence: what may be claimed from standings, and what may not."""

from __future__ import annotations

from collections.abc import Mapping

from mvarena.analysis.rankings import ALPHA, friedman
from mvarena.analysis.significance import compared_pairs, least_p
from mvarena.analysis.standings import Standings
from mvarena.text import plural


def claim(table: Standings, alpha: float = ALPHA, labels: Mapping[str, str] | None = None) -> str:
    """Sentence that Friedman's test and Wilcoxon's with Holm's correction support at level `alpha`.

    labels : contestant -> what the sentence calls it; None: its name.

    Where so few data sets cannot show any difference, whatever the results, the sentence says that and no more.
    """
    names, n = table.contestants, table.n_datasets
    k, called = len(names), labels or {name: name for name in names}
    pairs = k * (k - 1) // 2
    on = f"With {plural(n, 'data set')}"
    if least_p(n) * pairs > alpha:
        return (
            f"{on} no difference among {k} contestants can be claimed, whatever the results: "
            f"{plural(pairs, 'pairwise test')} at {alpha:g} need {_needed(pairs, alpha)} data sets or more."
        )
    overall = friedman(table)
    if k > 2 and overall.p_value_f > alpha:
        return f"{on} no difference among the {k} contestants can be claimed (Friedman, p {_p(overall.p_value_f)})."
    compared, first = compared_pairs(table), called[names[0]]
    rows = compared[compared["first"] == names[0]].set_index("second")
    beaten = [name for name in names[1:] if rows.loc[name, "p_holm"] <= alpha and rows.loc[name, "gain"] > 0]
    if not beaten:
        result = int((compared["p_holm"] <= alpha).sum())
        rest = f"; {result} of the {pairs} pairs differ" if result else ""
        return f"{on} {first}, first by mean rank, cannot be claimed to be better than any other{rest}."
    level = [name for name in names[1:] if name not in beaten]
    if not level:
        return f"{on} {first} can be claimed to be better than all {k - 1} others (Wilcoxon with Holm, {alpha:g})."
    return (
        f"{on} {first} can be claimed to be better than {len(beaten)} of the {k - 1} others (Wilcoxon with Holm, "
        f"{alpha:g}), but not than {_listed([called[name] for name in level])}."
    )


def _needed(pairs: int, alpha: float) -> int:
    n = 1
    while least_p(n) * pairs > alpha:
        n += 1
    return n


def _listed(names: list[str], most: int = 6) -> str:
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _p(value: float) -> str:
    return f"= {value:.2g}" if value >= 0.001 else "< 0.001"
