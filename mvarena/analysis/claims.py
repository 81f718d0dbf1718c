"""Written sentences: what may be claimed from standings, and what may not."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from mvarena.analysis.rankings import friedman_p
from mvarena.analysis.significance import ALPHA, LEAST_CORPORA, compared_pairs, compared_with, least_p
from mvarena.analysis.standings import Standings
from mvarena.errors import unknown_name
from mvarena.text import listed, plural

_MOST_NAMED = 6


def claim(
    table: Standings,
    question: str,
    labels: Mapping[str, str] | None = None,
    against: str | None = None,
) -> str:
    """Sentences on what standings support at level ALPHA.

    question : metric and conditions in words, which every claim begins with, as 'NMI, complete data'.
    labels : contestant -> what the sentences call it; None: its name.
    against : the contestant that was chosen before looking at the results, to be compared with each other; None: the
        first by mean rank is compared with the others, which looked at the results and so needs all pairs.

    A failure ranks last in `Standings.ranks`, which decide who is first, and has no score: a test of a pair is about
    quality where both finished, and says nothing of how often they do. Against a method with few corpora in common
    it can show little: where no test could come out (`corpora_for`), the sentence says so.
    Three questions are answered in turn, each only where the one before found something and the number of corpora lets
    it be answered: does any contestant differ (Friedman's test with Iman's and Davenport's F); which others is
    one contestant better or worse than, on what both finished (Wilcoxon's signed-rank test, Holm's correction over
    k - 1 tests); which pairs differ (Holm over all k (k - 1) / 2). Below LEAST_CORPORA corpora nothing is claimed, nor
    where contestants are above the better baseline on fewer than that (`Standings.n_separating`).
    Raises UnknownName for an `against` that takes no part.
    """
    names, n = table.contestants, table.n_corpora
    k, called = len(names), labels or {name: name for name in names}
    if against is not None and against not in names:
        raise unknown_name("method in these standings", against, names, f"There are {listed(names, most=_MOST_NAMED)}.")
    over = f"{question}, over {table.over}:"
    if n < LEAST_CORPORA:
        return f"{over} too few data sources for a claim ({LEAST_CORPORA} needed)."
    if table.n_separating < LEAST_CORPORA:
        return (
            f"{over} no claim; on {table.n_separating} of {n} corpora a tenth of the methods or more are above the "
            f"better baseline, and a claim takes {LEAST_CORPORA} such corpora."
        )
    overall = friedman_p(table)
    if k > 2 and overall > ALPHA:
        return f"{over} no difference among the {k} methods can be claimed (Friedman, p {_p(overall)})."
    any_differs = f"{over} the {k} methods differ (Friedman, p {_p(overall)})." if k > 2 else over
    if against is not None:
        return f"{any_differs} {_of_chosen(table, against, called)}"
    return f"{any_differs} {_of_pairs(table, called)}"


def _of_chosen(table: Standings, chosen: str, called: Mapping[str, str]) -> str:
    """The sentence on one contestant against each other."""
    others = len(table.contestants) - 1
    if least_p(table.n_corpora) * others > ALPHA:
        return (
            f"{table.n_corpora} corpora are too few to tell which of the {plural(others, 'other')} {called[chosen]} "
            f"differs from ({corpora_for(others)} needed)."
        )
    needed = corpora_for(others)
    return _sentence(compared_with(table, chosen), chosen, called, f"Holm over {plural(others, 'test')}", needed)


def _of_pairs(table: Standings, called: Mapping[str, str]) -> str:
    """The sentence on the first by mean rank, by tests of all pairs."""
    k, first = len(table.contestants), table.contestants[0]
    tests, others = k * (k - 1) // 2, k - 1
    if least_p(table.n_corpora) * tests > ALPHA:
        chosen = (
            f"; a method chosen beforehand (--against NAME) can be compared with the {others} others"
            if least_p(table.n_corpora) * others <= ALPHA
            else ""
        )
        return (
            f"{table.n_corpora} corpora are too few to tell which pairs differ ({corpora_for(tests)} needed for "
            f"{plural(tests, 'pair')}){chosen}."
        )
    pairs = compared_pairs(table)
    own, correction = pairs[pairs["first"] == first], f"Holm over all {plural(tests, 'pair')}"
    return _sentence(own, first, called, correction, corpora_for(tests))


def _sentence(pairs: pd.DataFrame, first: str, called: Mapping[str, str], correction: str, needed: int) -> str:
    """The sentence on the tests of `first`. needed : corpora in common, below which no test can come out."""
    differs = pairs[pairs["p_holm"] <= ALPHA]
    better = [called[name] for name in differs.loc[differs["ahead"] > 0, "second"]]
    worse = [called[name] for name in differs.loc[differs["ahead"] < 0, "second"]]
    test = f"(Wilcoxon on what both finished, {correction}, {ALPHA:g})"
    k = len(pairs)
    if not better and not worse:
        return f"{called[first]} cannot be claimed to differ from any other {test}."
    everybody = "the other" if k == 1 else f"all {k} others"
    if k in (len(better), len(worse)):
        return f"{called[first]} can be claimed to be {'better' if better else 'worse'} than {everybody} {test}."
    parts = [f"better than {len(better)} of the {k} others"] if better else []
    parts += [f"worse than {listed(worse, most=_MOST_NAMED)}"] if worse else []
    alike = pairs[pairs["p_holm"] > ALPHA]
    few = alike[["wins", "ties", "losses"]].sum(axis=1) < needed
    tested, untested = ([called[name] for name in alike.loc[rows, "second"]] for rows in (~few, few))
    rest = f"; not significantly different from {listed(tested, most=_MOST_NAMED)}" if tested else ""
    if untested:
        rest += f"; fewer than {needed} corpora in common with {listed(untested, most=_MOST_NAMED)}, too few to tell"
    return f"{called[first]} can be claimed to be {' and '.join(parts)}{rest} {test}."


def corpora_for(tests: int) -> int:
    """Least number of corpora on which one of so many tests can come out, with Holm's correction."""
    n = 1
    while least_p(n) * tests > ALPHA:
        n += 1
    return n


def _p(value: float) -> str:
    return f"= {value:.2g}" if value >= 0.001 else "< 0.001"
