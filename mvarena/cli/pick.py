"""`mvarena pick`: choosing among stored results without labels, and what each way to choose loses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.options import (
    SEVERAL_FILTERS,
    ManyValues,
    database_option,
    filter_from,
    filter_options,
    names_option,
    split_names,
)
from mvarena.cli.output import echo_json, json_option, table_console

if TYPE_CHECKING:
    import pandas as pd
    from rich.table import Table

    from mvarena.contracts.specs import MetricSpec, PickerSpec

_EXAMPLES = """\b
Examples:
  mvarena run --algo mic --param mic.beta=0.01,0.1,1 --data digits
  mvarena pick
  mvarena pick --pick oracle centrality --metric ari --across
"""
NOTHING_TO_PICK = (
    "no data set has two results to choose from; run an algorithm with several values of a parameter, as in "
    "'--param mic.beta=0.01,0.1,1', or choose among all algorithms with '--across'."
)


@click.command(cls=ManyValues, many=("--pick", "--metric", *SEVERAL_FILTERS), epilog=_EXAMPLES)
@database_option("The results database to read.")
@names_option("--pick", "pickers", "Ways to choose, one or more (mvarena list pickers); by default all.")
@names_option("--metric", "metrics", "Metrics, one or more (mvarena list metrics); by default acc and nmi.")
@click.option("--across", is_flag=True, help="Choose among all algorithms, not only among the parameters of one.")
@json_option
@filter_options
def pick(
    database: str, pickers: tuple[str, ...], metrics: tuple[str, ...], across: bool, as_json: bool, **options: Any
) -> None:
    """Pick among the stored candidates of each data set, corruption, rate and repeat, and show each way's regret."""
    from mvarena.analysis.picking import newest, picks_among
    from mvarena.errors import MvarenaError
    from mvarena.registry.catalog import installed_catalog
    from mvarena.store.filters import chosen
    from mvarena.store.readonly import open_to_read
    from mvarena.store.trials import done_trials

    catalog = installed_catalog()
    ways = [catalog.picker(name) for name in split_names(pickers) or catalog.names("picker")]
    shown = [catalog.metric(name) for name in split_names(metrics) or ("acc", "nmi")]
    only = filter_from(options)
    with open_to_read(database) as db:
        stored = done_trials(db, where=chosen(db, only))
        rows = picks_among(
            db,
            [metric.name for metric in shown],
            stored,
            pickers=[way.name for way in ways],
            across=across,
        )
    if rows.empty:
        raise MvarenaError(NOTHING_TO_PICK)
    if as_json:
        echo_json(rows.to_json(orient="records", indent=2, double_precision=15))
        return
    print_picked(rows, ways, shown)
    if older := len(stored) - len(newest(stored)):
        click.echo(f"{older} results of older versions of their algorithms are not used.")


def print_picked(rows: pd.DataFrame, ways: Sequence[PickerSpec], shown: Sequence[MetricSpec]) -> None:
    """Each way's score and regret, over all data sets and by data set."""
    from mvarena.report.formatting import PICKED_MARK
    from mvarena.report.tables.regret import left_out_notes

    console = table_console(120)
    for table in (_overall(rows, ways, shown), *(_by_dataset(rows, ways, metric) for metric in shown)):
        console.print(table)
        console.print()
    click.echo(
        "Regret: score of the best candidate by ground truth, minus that of the chosen one. Means over "
        "algorithms and data sets."
    )
    if rows["by_labels"].any():
        click.echo(f"{PICKED_MARK} chosen by ground truth, which needs labels.")
    for sentence in left_out_notes(rows):
        click.echo(sentence)
    for way in ways:
        if way.metric and not rows.loc[rows["picker"] == way.name, "choice"].any():
            click.echo(f"{way.name} needs scores that are not stored: run 'mvarena score --metric {way.metric}'.")


def _overall(rows: pd.DataFrame, ways: Sequence[PickerSpec], shown: Sequence[MetricSpec]) -> Table:
    """Pickers down; score and regret of each metric across."""
    from mvarena.analysis.picking import picking_summary
    from mvarena.report.formatting import NOT_RUN

    summary = picking_summary(rows).set_index(["picker", "metric"])
    table = _table("picker", [*(f"{_label(item)}{part}" for item in shown for part in ("", " regret")), "points"])
    for way in ways:
        cells, points = [], "0"
        for metric in shown:
            if (way.name, metric.name) not in summary.index:
                cells += [NOT_RUN] * 2
                continue
            row = summary.loc[(way.name, metric.name)]
            cells += [_number(row["score"], metric), _number(row["regret"], metric)]
            points = f"{row['n_answered']}/{row['n_points']}"
        table.add_row(_head(way, rows), *cells, points)
    return table


def _by_dataset(rows: pd.DataFrame, ways: Sequence[PickerSpec], metric: MetricSpec) -> Table:
    """Data sets down; the best candidate's score, and the regret of each picker across."""
    from mvarena.analysis.picking import picking_summary
    from mvarena.report.formatting import PICKED_MARK

    part = rows[rows["metric"] == metric.name]
    summary = picking_summary(part, ["dataset"]).set_index(["dataset", "picker"])
    table = _table(f"{_label(metric)} regret", [f"best {PICKED_MARK}", *(_head(way, part) for way in ways)])
    for dataset in dict.fromkeys(summary.index.get_level_values("dataset")):
        value = summary.loc[dataset]
        cells = [_number(value.loc[way.name, "regret"], metric) for way in ways]
        table.add_row(str(dataset), _number(value["best"].iloc[0], metric), *cells)
    return table


def _table(head: str, columns: Sequence[str]) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, padding=(0, 1), show_edge=False, pad_edge=False)
    table.add_column(head, no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right")
    return table


def _label(spec: MetricSpec) -> str:
    return spec.label or spec.name


def _head(way: PickerSpec, rows: pd.DataFrame) -> str:
    """Heading of a picker, marked where its numbers used ground truth."""
    from mvarena.report.formatting import PICKED_MARK

    marked = rows.loc[rows["picker"] == way.name, "by_labels"].any()
    return f"{way.label or way.name} {PICKED_MARK}" if marked else way.label or way.name


def _number(value: float, metric: MetricSpec) -> str:
    from mvarena.report.formatting import NOT_RUN, shown_number

    return NOT_RUN if value != value else shown_number(value, percent=metric.in_percent)
