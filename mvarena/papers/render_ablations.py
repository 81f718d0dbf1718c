"""The generated parts of questions of our own: alternatives compared, pickers compared, and numbers of both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from mvarena.analysis.picking import picking_summary
from mvarena.errors import InvalidData
from mvarena.papers.ablations import Alternative, Alternatives, Compared, Picking
from mvarena.papers.compare import NO_NUMBER
from mvarena.papers.measure import short_keys
from mvarena.registry.catalog import installed_catalog
from mvarena.report.formatting import PICKED_MARK
from mvarena.text import listed, plural

_ALL = "all"


def alternatives_part(item: Alternatives, found: Compared) -> Iterator[str]:
    """Means and ranks, how far the orders of the methods agree, and every method under each alternative."""
    yield _means(item, found)
    n_sets = found.values.index.get_level_values("dataset").nunique()
    yield (
        f"Means over {len(found.methods)} methods on {n_sets} data sets, each method and data set on which all "
        f"finished counting once; ranks are by {_label(item.rank_by)}, among the alternatives, 1 is best. Agreement: "
        f"Spearman's correlation between the orders of the methods by mean {_label(item.rank_by)}."
    )
    yield _agreement(item, found)
    yield _methods(item, found)
    shown = " / ".join(map(_label, item.metrics))
    yield f"{shown}, the mean over data sets; the best by {_label(item.rank_by)} is bold."
    if found.left_out:
        yield f"Not counted, since not all alternatives finished: {_left_out(found)}."
    if item.notes:
        yield "\n".join(f"- {note}" for note in item.notes)


def alternatives_number(item: Alternatives, found: Compared, pieces: Sequence[str]) -> str:
    """ALTERNATIVE / all, a group or a method / METRIC; .../ rank and ... / best of all; ONE / OTHER / agreement."""
    entry, of, what = pieces
    names = [alternative.name for alternative in item.alternatives]
    if what == "agreement" and {entry, of} <= set(names):
        pairs = found.agreement()
        return f"{pairs.get((entry, of), pairs.get((of, entry), 1.0)):.2f}"
    if entry in names and (of, what) == (_ALL, "rank"):
        return f"{found.mean_ranks[entry]:.1f}"
    if entry in names and (of, what) == (_ALL, "best"):
        return str(found.best_for[entry])
    if entry in names and what in item.metrics:
        if of == _ALL or of in item.groups:
            return f"{found.overall(what, '' if of == _ALL else of)[entry]:.1f}"
        if of in found.methods:
            return f"{found.means(what).loc[of, entry]:.1f}"
    raise InvalidData(f"'{' / '.join([item.name, *pieces])}' is not a number of {item.name}.")


def alternatives_rows(item: Alternatives, found: Compared) -> Iterator[dict[str, object]]:
    """One row per method, data set, alternative and metric, for a .csv file."""
    for (metric, algorithm, dataset), row in found.values.iterrows():
        for alternative in item.alternatives:
            yield {
                "method": algorithm,
                "dataset": dataset,
                item.axis: alternative.name,
                "metric": metric,
                "mean": round(float(row[alternative.name]), 4),
                "trials": " ".join([f'--algo {algorithm} --data "{dataset}"', *_scaled(alternative)]),
                "keys": short_keys(found.keys[metric, algorithm, dataset, alternative.name]),
            }


def _scaled(alternative: Alternative) -> Iterator[str]:
    """The alternative as options of `mvarena results`, as far as they can say it."""
    if alternative.scale:
        yield f'--scale "{alternative.scale}"'


def picking_part(item: Picking, rows: pd.DataFrame) -> Iterator[str]:
    """Score and regret of each picker."""
    summary = picking_summary(rows).set_index(["picker", "metric"])
    heads = [head for metric in item.metrics for head in (_label(metric), f"{_label(metric)} regret")]
    text = [f"| picker | {' | '.join(heads)} | points |", f"|---|{'---|' * len(heads)}---|"]
    for picker in dict.fromkeys(rows["picker"]):
        own = [summary.loc[(picker, metric)] for metric in item.metrics]
        numbers = [f"{100 * entry[what]:.2f}" for entry in own for what in ("score", "regret")]
        marked = f"{picker} \\{PICKED_MARK}" if own[0]["by_labels"] else picker
        text.append(f"| {marked} | {' | '.join(numbers)} | {own[0]['n_answered']}/{own[0]['n_points']} |")
    yield "\n".join(text)
    n_sets = rows["dataset"].nunique()
    yield (
        f"Means over methods, then data sets ({n_sets}); points: those that the picker answered of those that there "
        f"are. {PICKED_MARK} chosen by ground truth."
    )
    if item.notes:
        yield "\n".join(f"- {note}" for note in item.notes)


def picking_number(item: Picking, rows: pd.DataFrame, pieces: Sequence[str]) -> str:
    """PICKER / score or regret / METRIC."""
    picker, what, metric = pieces
    summary = picking_summary(rows).set_index(["picker", "metric"])
    if what in ("score", "regret") and (picker, metric) in summary.index:
        return f"{100 * summary.loc[(picker, metric), what]:.1f}"
    raise InvalidData(f"'{' / '.join([item.name, *pieces])}' is not a number of {item.name}.")


def picking_rows(item: Picking, rows: pd.DataFrame) -> Iterator[dict[str, object]]:
    """One row per point, picker and metric, for a .csv file."""
    shown = ["algorithm", "dataset", "corruption", "rate", "repeat", "n_candidates", "picker", "metric"]
    for row in rows[rows["metric"].isin(item.metrics)].to_dict("records"):
        numbers = {name: round(100 * row[name], 4) for name in ("best", "score", "regret")}
        of = "" if item.across else f"--algo {row['algorithm']} "
        trials = f'{of}--data "{row["dataset"]}" --rate {row["rate"]:g}'
        yield (
            {str(name): row[name] for name in shown}
            | numbers
            | {
                "choice": row["choice"],
                "trials": trials,
                "keys": short_keys(row["keys"]),
            }
        )


def _means(item: Alternatives, found: Compared) -> str:
    heads = [_label(metric) for metric in item.metrics]
    heads += [f"{_label(metric)}, {group}" for group in item.groups for metric in item.metrics]
    lines = [f"| {item.axis} | {' | '.join(heads)} | mean rank | best for |", f"|---|{'---|' * len(heads)}---|---|"]
    columns = [found.overall(metric, group) for group in ("", *item.groups) for metric in item.metrics]
    for alternative in item.alternatives:
        numbers = " | ".join(f"{column[alternative.name]:.1f}" for column in columns)
        best = found.best_for[alternative.name]
        methods = plural(best, "method")
        lines.append(f"| {alternative.name} | {numbers} | {found.mean_ranks[alternative.name]:.2f} | {methods} |")
    return "\n".join(lines)


def _agreement(item: Alternatives, found: Compared) -> str:
    names = [alternative.name for alternative in item.alternatives]
    pairs = found.agreement()
    lines = [f"| agreement | {' | '.join(names[1:])} |", f"|---|{'---|' * len(names[1:])}"]
    for name in names[:-1]:
        cells = (f"{pairs[name, other]:.2f}" if (name, other) in pairs else "" for other in names[1:])
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _methods(item: Alternatives, found: Compared) -> str:
    names = [alternative.name for alternative in item.alternatives]
    means = {metric: found.means(metric) for metric in item.metrics}
    counts = found.values.loc[item.rank_by].groupby("algorithm").size()
    lines = [f"| method | data sets | {' | '.join(names)} |", f"|---|---|{'---|' * len(names)}"]
    for method in found.methods:
        best = str((found.sign * means[item.rank_by].loc[method]).idxmax())
        cells = {name: " / ".join(_shown(means[metric].loc[method, name]) for metric in item.metrics) for name in names}
        cells[best] = f"**{cells[best]}**"
        lines.append(f"| {method} | {counts[method]} | {' | '.join(cells.values())} |")
    return "\n".join(lines)


def _shown(value: float) -> str:
    return NO_NUMBER if value != value else f"{value:.1f}"


def _left_out(found: Compared) -> str:
    by_method: dict[str, int] = {}
    for method, _ in found.left_out:
        by_method[method] = by_method.get(method, 0) + 1
    return listed(f"{method} on {plural(count, 'data set')}" for method, count in by_method.items())


def _label(metric: str) -> str:
    spec = installed_catalog().metric(metric)
    return spec.label or spec.name
