"""The page of `mvarena cluster`: a document that loads nothing, with its pictures inside."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from html import escape

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.figure import Figure
from numpy.typing import NDArray

import mvarena.report.figures.embedding as embedding_figure
from mvarena.analysis.cluster_criteria import CRITERIA, DEFAULT_CRITERION
from mvarena.analysis.cluster_numbers import NumberOfClusters
from mvarena.analysis.clusters import ClusterOutcomes, Clusters
from mvarena.data import MultiViewData
from mvarena.numerics.survival import FEWEST
from mvarena.report.drawing.canvas import RC, drawable, image_bytes
from mvarena.report.style import MARKERS, PALETTE
from mvarena.text import listed, plural, visible

_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:56em;padding:0 1em;color:#111;background:#fff}"
    "img{max-width:100%;height:auto;background:#fff}div{overflow-x:auto}table{border-collapse:collapse;margin:.5em 0}"
    "th,td{padding:.2em .8em;text-align:right;font-variant-numeric:tabular-nums;border-bottom:1px solid #ccc}"
    "th:first-child,td.name{text-align:left}caption{text-align:left;font-weight:bold;padding:.4em 0}"
    "@media(prefers-color-scheme:dark){body{color:#eee;background:#111}}"
)
_LEAST_SURE = 10
_CERTAIN = 1 - 1e-9  # agreements are sums of shares
_LEVEL = 0.05


def cluster_page(
    name: str,
    plane: NDArray[np.float64],
    data: MultiViewData,
    clusters: Clusters,
    chosen: NumberOfClusters,
    telling: pd.DataFrame,
    ids: Sequence[str],
    outcomes: ClusterOutcomes | None = None,
) -> str:
    """The page as HTML.

    plane : (n, 2) coordinates of the samples, to draw them. telling : of `analysis.clusters.telling_features`.
    outcomes : of the samples; None: not known.
    """
    title = f"{name}: {plural(clusters.n_clusters, 'cluster')}"
    missing = 1 - data.mask.mean()
    rows = f"; {100 * missing:.0f} % of the rows are missing" if missing else ""
    views = listed(f"{view.name} ({view.n_features})" for view in data.views)
    parts = [
        f"<h1>{_text(title)}</h1>",
        f"<p>{data.n_samples} samples in {plural(len(data.views), 'view')}: {_text(views)}{rows}. Methods: "
        f"{_text(listed(clusters.by_method))}. Each sample is in the cluster to which most of their restarts assign "
        "it; its agreement is their share. The silhouette compares the distance to the own cluster with that to the "
        "nearest other one: 1 is far apart, 0 is on the border, below 0 is nearer to another.</p>",
        _picture(_draw_plane(plane, clusters), "samples by cluster, in two dimensions"),
        "<p>The first two principal components of all views side by side, scaled; small, pale marks are samples of low "
        "agreement.</p>",
        _table("Clusters", ("cluster", "samples", "silhouette", "agreement"), _cluster_rows(clusters)),
    ]
    if len(chosen.curve) > 1:
        parts += [
            "<h2>Number of clusters</h2>",
            _picture(_draw_curve(chosen), f"{listed(_CURVES)} against the number of clusters"),
            f"<p>{_text(number_sentence(chosen))} Modularity counts how many of the pairs of neighbours (ten in each "
            "view) lie within a cluster, beyond what clusters of these sizes have by chance.</p>",
        ]
    if not telling.empty:
        parts += [
            "<h2>Features that differ between clusters</h2>",
            "<p>The features in which a cluster differs most from the other samples: means, and the difference in "
            "pooled standard deviations (Cohen's d). The clusters were found from these features, so this is a "
            "description, not a test.</p>",
            *_telling_tables(telling),
        ]
    if outcomes is not None:
        parts += ["<h2>Outcomes</h2>", *_outcome_parts(outcomes)]
    order = np.argsort(clusters.agreement, kind="stable")[:_LEAST_SURE]
    unsure = [i for i in order if clusters.agreement[i] < _CERTAIN]
    if unsure:
        rows_of = [
            (ids[i], clusters.labels[i] + 1, _number(clusters.agreement[i]), _number(clusters.silhouettes[i]))
            for i in unsure
        ]
        parts += [
            "<h2>Samples of lowest agreement</h2>",
            _table("", ("sample", "cluster", "agreement", "silhouette"), rows_of),
        ]
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{_text(title)}</title><style>{_STYLE}</style>"
    )
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n' + "\n".join(parts) + "\n</body></html>\n"


def number_sentence(chosen: NumberOfClusters) -> str:
    """The suggested number of clusters, and how sure that is."""
    suggested = f"Suggested: {plural(chosen.suggested, 'cluster')}, {CRITERIA[chosen.by]}"
    if chosen.by != DEFAULT_CRITERION:
        return f"{suggested}."
    return f"{suggested}; the same in {100 * chosen.share:.0f} % of 200 resamples of the samples."


def outcome_sentences(outcomes: ClusterOutcomes) -> list[str]:
    """Sentences on what the outcomes say of the clusters: survival first, then the columns that differ."""
    sentences = []
    if outcomes.curves:
        p = outcomes.survival_p
        known = "no p-value: too few events or clusters" if np.isnan(p) else f"log-rank p = {p:.2g}, by permutations"
        if min(samples for _, samples in outcomes.events.values()) < FEWEST and not np.isnan(p):
            larger = outcomes.survival_p_of_larger
            value = "no p-value" if np.isnan(larger) else f"p = {larger:.2g}"
            known += (
                f"; {value} over the clusters of {FEWEST} samples and more, since a smaller one can dominate the first"
            )
        sentences.append(f"Survival of the clusters: {known}.")
    if outcomes.columns:
        differ = [f"{name} (p = {p:.2g})" for name, p in outcomes.columns.items() if p < _LEVEL]
        tested = plural(len(outcomes.columns), "column")
        sentences.append(f"{tested} tested; differing between clusters, after Bonferroni: {listed(differ) or 'none'}.")
    sentences = sentences or ["The outcomes have no column by which clusters can be compared."]
    return [*sentences, *([outcomes.advice] if outcomes.advice else [])]


def plane_of(data: MultiViewData) -> NDArray[np.float64]:
    """(n, 2) principal components of complete feature views side by side; zeros where no view has features."""
    views = [view.matrix for view in data.views if view.kind == "features"]
    if not views:
        return np.zeros((data.n_samples, 2))
    dense = [np.asarray(view.todense()) if hasattr(view, "todense") else view for view in views]
    return embedding_figure.principal_plane(np.hstack(dense))[0]


def _draw_plane(plane: NDArray[np.float64], clusters: Clusters) -> Figure:
    with rc_context(RC):
        figure = Figure(figsize=(6.4, 4.6), layout="constrained")
        axis = figure.subplots()
        for index in range(clusters.n_clusters):
            own = clusters.labels == index
            sure = clusters.agreement[own]
            points = plane[own]
            axis.scatter(
                points[:, 0], points[:, 1], s=4 + 14 * sure, alpha=0.25 + 0.75 * sure, linewidths=0,
                color=PALETTE[index % len(PALETTE)], marker=MARKERS[index % len(MARKERS)], label=str(index + 1),
            )  # fmt: skip
        axis.set(xlabel="first component", ylabel="second component")
        figure.legend(title="cluster", loc="outside right upper", ncols=1 + clusters.n_clusters // 20)
        return figure


_CURVES = ("modularity", "silhouette", "agreement")  # the last two are means over the samples


def _draw_curve(chosen: NumberOfClusters) -> Figure:
    curve = chosen.curve
    with rc_context(RC):
        figure = Figure(figsize=(8.0, 2.7), layout="constrained")
        for axis, column in zip(figure.subplots(1, len(_CURVES)), _CURVES, strict=True):
            axis.plot(curve["k"], curve[column], marker="o", color=PALETTE[0])
            best = curve[curve["k"] == chosen.suggested]
            axis.plot(best["k"], best[column], marker="o", ms=11, mfc="none", color=PALETTE[1])
            axis.set(xlabel="number of clusters", ylabel=column if column == "modularity" else f"mean {column}")
            axis.xaxis.get_major_locator().set_params(integer=True)
        return figure


def _outcome_parts(outcomes: ClusterOutcomes) -> list[str]:
    parts = [f"<p>{_text(' '.join(outcome_sentences(outcomes)))} The clusters were not found by these outcomes.</p>"]
    if outcomes.curves:
        parts += [
            _picture(_draw_survival(outcomes), "Kaplan-Meier curves of the clusters"),
            "<p>Kaplan-Meier curves; a tick marks a censored sample, last seen without an event.</p>",
        ]
    if outcomes.columns:
        rows = [(name, f"{p:.2g}") for name, p in outcomes.columns.items()]
        parts.append(_table("Columns", ("column", "p after Bonferroni"), rows))
    return parts


def _draw_survival(outcomes: ClusterOutcomes) -> Figure:
    with rc_context(RC):
        figure = Figure(figsize=(6.4, 3.6), layout="constrained")
        axis = figure.subplots()
        for cluster, curve in outcomes.curves.items():
            events, n = outcomes.events[cluster]
            colour = PALETTE[cluster % len(PALETTE)]
            axis.step(curve.time, curve.survival, where="post", color=colour, label=f"{cluster + 1}: {events} of {n}")
            last_seen = curve.censored > 0
            axis.plot(curve.time[last_seen], curve.survival[last_seen], "|", color=colour)
        axis.set(xlabel=f"time ({drawable(outcomes.time_name)})", ylabel="survival", xlim=(0, None), ylim=(0, 1.03))
        figure.legend(title="cluster: events of samples", loc="outside right upper")
        return figure


def _cluster_rows(clusters: Clusters) -> list[tuple[object, ...]]:
    return [
        (index + 1, size, _number(clusters.silhouettes[clusters.labels == index].mean()),
         _number(clusters.agreement[clusters.labels == index].mean()))
        for index, size in enumerate(clusters.sizes)
    ]  # fmt: skip


def _telling_tables(telling: pd.DataFrame) -> list[str]:
    heads = ("feature", "view", "mean", "mean of the others", "effect size")
    return [
        _table(
            f"Cluster {cluster}",
            heads,
            [
                (row.feature, row.view, f"{row.mean:.4g}", f"{row.mean_of_others:.4g}", f"{row.effect:+.2f}")
                for row in part.itertuples()
            ],
        )
        for cluster, part in telling.groupby("cluster")
    ]


def _table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    head = "".join(f'<th scope="col">{_text(item)}</th>' for item in heads)
    body = "\n".join(
        "<tr>"
        + f'<td class="name">{_text(row[0])}</td>'
        + "".join(f"<td>{_text(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    title = f"<caption>{_text(caption)}</caption>" if caption else ""
    return f"<div><table>{title}<thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table></div>"


def _picture(figure: Figure, meaning: str) -> str:
    return f'<img alt="{_text(meaning)}" src="data:image/png;base64,{b64encode(image_bytes(figure, "png")).decode()}">'


def _number(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.3f}"


def _text(text: object) -> str:
    return escape(" ".join(visible(str(text)).split()))
