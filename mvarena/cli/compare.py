"""`mvarena compare`: two methods, versions or databases beside each other, with an exit code for CI."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.completion import names_for
from mvarena.cli.options import ManyValues, database_option, split_names
from mvarena.cli.output import echo_json, json_option, say, table_console
from mvarena.errors import InvalidData, InvalidSetting, MvarenaError
from mvarena.text import listed, plural, without_passwords

if TYPE_CHECKING:
    import pandas as pd

    from mvarena.contracts.specs import MetricSpec

_EXAMPLES = """\b
Examples:
  mvarena compare concat apmc
  mvarena compare "mic (beta=0.01)" "mic (beta=0.1)" --metric nmi
  mvarena compare apmc@1 apmc@2 --fail-if-worse 2
  mvarena compare yesterday.db today.db --fail-if-worse 2
"""


@click.command(cls=ManyValues, many=("--data",), epilog=_EXAMPLES)
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@database_option("Results database to read if A and B are contestants.")
@click.option(
    "--metric",
    metavar="NAME",
    help="See mvarena list metrics; by default, of each data set, acc or the first that a report shows of it.",
)
@click.option(
    "--data",
    "datasets",
    multiple=True,
    metavar="NAME...",
    help="Only these data sets; by default all that are stored.",
    shell_complete=names_for("data"),
)
@click.option(
    "--fail-if-worse",
    type=click.FloatRange(min=0),
    metavar="POINTS",
    help="Exit with 1 if B is worse than A by more than this (percentage points for metrics up to 1) on some data set, "
    "or has not finished what A has.",
)
@json_option
def compare(
    before: str,
    after: str,
    database: str,
    metric: str | None,
    datasets: tuple[str, ...],
    fail_if_worse: float | None,
    as_json: bool,
) -> None:
    """Compare A with B: the change on each data set and condition, repeat by repeat under the same masks.

    A and B are two databases (files that exist, or URLs), whose common contestants are compared; else two contestants
    of one database, by the names that tables show, or NAME@VERSION.
    """
    import pandas as pd

    from mvarena.registry.catalog import installed_catalog
    from mvarena.study.cards import announced_metrics

    metrics = announced_metrics()
    named = None if metric is None else installed_catalog().metric(metric).name
    if fail_if_worse is not None and not math.isfinite(fail_if_worse):
        raise click.BadParameter(
            f"{fail_if_worse} is no number of points; give one such as 2.", param_hint="--fail-if-worse"
        )
    compared, absent = _compared(before, after, database, named, split_names(datasets) and datasets)
    rows = pd.concat(compared.values(), ignore_index=True)
    units = {name: 100.0 if metrics[name].in_percent else 1.0 for name in compared}
    if as_json:
        echo_json(rows)
    else:
        for name, part in compared.items():
            _print(part, before, after, units[name], metrics[name])
    if absent:
        here, there = without_passwords(before), without_passwords(after)
        say(
            f"Of the trials that {here} has done, {absent} {'is' if absent == 1 else 'are'} absent in {there}.",
            err=True,
        )
    if fail_if_worse is None:
        return
    failed = rows[(rows["gain"] * rows["metric"].map(units) < -fail_if_worse) | (rows["only_before"] > 0)]
    if len(failed):
        say(f"Worse by more than {fail_if_worse:g}, or unfinished, in {len(failed)} of {len(rows)} cases.", err=True)
    if absent or len(failed):
        sys.exit(1)


def _compared(
    before: str, after: str, database: str, metric: str | None, datasets: tuple[str, ...]
) -> tuple[dict[str, pd.DataFrame], int]:
    """Metric -> the comparison (`two_sides`) of the data sets that are compared by it; and the trials that B lacks.

    metric : of all data sets; None: of each the first of its default metrics. Raises InvalidData where the sides have
    nothing in common.
    """
    import pandas as pd

    from mvarena.analysis.comparison import n_absent, two_sides
    from mvarena.analysis.default_metrics import in_order, metrics_of_data
    from mvarena.registry.catalog import installed_catalog

    sides = _sides(before, after, database, metric, datasets)
    catalog = installed_catalog()
    defaults = metrics_of_data(pd.concat(sides))
    leads = dict.fromkeys(defaults, metric) if metric is not None else _leads(sides, defaults)
    result: dict[str, pd.DataFrame] = {}
    for name in [metric] if metric is not None else in_order({name: [name] for name in leads.values()}):
        spec = catalog.metric(name)
        of_data = [content for content, lead in leads.items() if lead == name]
        first, second = (side[side["content"].isin(of_data)] for side in sides)
        try:
            result[name] = two_sides(first, second, name, higher_is_better=spec.higher_is_better)
        except InvalidData as error:
            nothing = error
    if not result:
        raise nothing
    return result, n_absent(*sides)


def _leads(sides: tuple[pd.DataFrame, pd.DataFrame], defaults: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Content -> the first of its default metrics by which both sides are scored; the first of all without such."""
    scored = [
        set(side[side["value"].notna()][["content", "metric"]].itertuples(index=False, name=None)) for side in sides
    ]
    both = scored[0] & scored[1]
    return {
        content: next((name for name in names if (content, name) in both), names[0])
        for content, names in defaults.items()
    }


def _sides(
    before: str, after: str, database: str, metric: str | None, datasets: tuple[str, ...]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The scores of A and of B: of two databases, or of two contestants of one."""
    from mvarena.analysis.comparison import side_named, sides_of_two

    are_databases = [_is_database(item) for item in (before, after)]
    if any(are_databases) and not all(are_databases):
        other = after if are_databases[0] else before
        raise InvalidSetting(f"A and B are two databases or two contestants; there is no database '{other}'.")
    if all(are_databases):
        return sides_of_two(_scores(before, metric, datasets), _scores(after, metric, datasets))
    frame, subject = _shown(_scores(database, metric, datasets), before, after), f"{before} -> {after}"
    return side_named(frame, before, subject), side_named(frame, after, subject)


def _is_database(text: str) -> bool:
    return "://" in text or Path(text).is_file()


def _shown(frame: pd.DataFrame, before: str, after: str) -> pd.DataFrame:
    """The rows under one scaling and filling and of the newest versions, unless a name asks for another."""
    from mvarena.analysis.conditions import newest_versions, one_preparation

    asked = before + after
    if "version=" not in asked and "@" not in asked:
        frame, _ = newest_versions(frame)
    if "prepare=" not in asked:
        frame, preparation = one_preparation(frame)
        if preparation.sentence:
            say(
                preparation.sentence.partition("; choose")[0] + "; name A and B with (prepare=...) for others.",
                err=True,
            )
    return frame


def _scores(database: str, metric: str | None, datasets: tuple[str, ...]) -> pd.DataFrame:
    """The scores of a database by one metric, or by all that are shown by default."""
    from mvarena.analysis.default_metrics import possible_metrics
    from mvarena.store.frames import scores_frame
    from mvarena.store.readonly import open_to_read

    with open_to_read(database) as db:
        frame = scores_frame(db, metrics=possible_metrics() if metric is None else [metric], datasets=datasets or None)
        if frame.empty:
            raise MvarenaError("there are no results to compare; run a study first, or select other data sets.")
        done = (frame["status"] == "DONE").any()
        if metric is not None and done and frame["metric"].isna().all():
            stored = sorted(scores_frame(db, datasets=datasets or None)["metric"].dropna().unique())
            raise InvalidSetting(f"no result is scored by {metric}; stored are {listed(stored)}.")
    return frame


def _print(rows: pd.DataFrame, before: str, after: str, unit: float, spec: MetricSpec) -> None:
    from rich.table import Table

    are_databases = _is_database(before)
    before, after = without_passwords(before), without_passwords(after)
    names = (Path(before).name, Path(after).name) if are_databases else (before, after)
    names = names if names[0] != names[1] else ("A", "B")

    table = Table(title=f"{spec.label or spec.name}: {before} -> {after}", title_justify="left", title_style="bold")
    several = rows["subject"].nunique() > 1
    for name in ("data", "condition", *(["contestant"] if several else [])):
        table.add_column(name, overflow="fold")
    for name in (*names, "gain", "95 % interval", "repeats", "verdict"):
        table.add_column(name, justify="right")
    for row in rows.itertuples(index=False):
        where = row.corruption if row.corruption == "none" else f"{row.corruption} {row.rate:g}"
        subject = [row.subject] if several else []
        table.add_row(row.dataset, where, *subject, *_cells(row, names, unit))
    table_console(120).print(table)
    for subject, part in rows.groupby("subject", sort=False):
        say(_overall(part, f"{subject}: " if several else "", names, unit))


def _cells(row: Any, names: tuple[str, str], unit: float) -> tuple[str, ...]:
    from mvarena.analysis.comparison import why_no_interval

    counts = f"{row.n_pairs}" + "".join(
        f", {count} only {side}" for count, side in ((row.only_before, names[0]), (row.only_after, names[1])) if count
    )
    interval = f"{row.low * unit:+.2f} to {row.high * unit:+.2f}"
    if row.low != row.low:
        interval = why_no_interval(row.n_pairs, "repeat") if row.n_pairs else ""
    numbers = ["" if value != value else f"{value * unit:.2f}" for value in (row.before, row.after)]
    gain = "" if row.gain != row.gain else f"{row.gain * unit:+.2f}"
    return (*numbers, gain, interval, counts, row.verdict)


def _overall(rows: pd.DataFrame, subject: str, names: tuple[str, str], unit: float) -> str:
    """Over corpora, each weighing one: the mean gain, its interval, and Wilcoxon's test."""
    from mvarena.analysis.comparison import over_corpora, why_no_interval
    from mvarena.analysis.significance import LEAST_CORPORA, signed_rank_p

    result = over_corpora(rows)
    n, n_sets = len(result.gains), result.n_datasets
    if not n:
        return f"{subject}No repeat was finished by both of them."
    over = plural(n_sets, "data set")
    over = over if n == n_sets else f"{plural(n, 'corpus', 'corpora')} ({over})"
    over += f" (without {listed(result.left_out)}, where no repeat was finished by both)" if result.left_out else ""
    second = names[1]
    interval = f"95 % t interval over corpora {result.low * unit:+.2f} to {result.high * unit:+.2f}"
    if result.low != result.low:
        interval = f"no interval: {why_no_interval(n, 'corpus')}"
    mean = f"{subject}Over {over} {second} is {result.gain * unit:+.2f} on average ({interval})"
    if n < LEAST_CORPORA:
        return f"{mean}. Tests take {LEAST_CORPORA} corpora or more."
    return f"{mean}; Wilcoxon's signed-rank test p = {signed_rank_p(result.gains):.2g}."
