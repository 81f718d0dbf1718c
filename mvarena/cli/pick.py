"""`mvarena pick`: choosing among stored results without labels, and what each way to choose loses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.options import SEVERAL_FILTERS, ManyValues, database_option, filter_from, filter_options, names_option
from mvarena.cli.output import echo_json, json_option, print_tables, say
from mvarena.errors import MvarenaError
from mvarena.text import listed

if TYPE_CHECKING:
    import pandas as pd

    from mvarena.contracts.specs import PickerSpec
    from mvarena.store.cards import Cards

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
@names_option(
    "--metric", "metrics", "Metrics, one or more (mvarena list metrics); by default those that the data have."
)
@click.option("--across", is_flag=True, help="Choose among all algorithms, not only among the parameters of one.")
@json_option
@filter_options
def pick(
    database: str, pickers: tuple[str, ...], metrics: tuple[str, ...], across: bool, as_json: bool, **options: Any
) -> None:
    """Pick among the stored candidates of each data set, corruption, rate and repeat, and show each way's regret.

    Of data without classes, it shows what each way picks.
    """
    from mvarena.analysis.picking import NO_LABELS, labelled, newest, picks_among, points_of
    from mvarena.registry.catalog import installed_catalog
    from mvarena.store.cards import cards
    from mvarena.store.filters import chosen
    from mvarena.store.readonly import open_to_read
    from mvarena.store.trials import done_trials

    catalog = installed_catalog()
    ways = [catalog.picker(name) for name in pickers or catalog.names("picker")]
    shown = [catalog.metric(name).name for name in metrics]
    only = filter_from(options)
    with open_to_read(database) as db:
        stored = done_trials(db, where=chosen(db, only))
        rows = picks_among(db, shown, stored, pickers=[way.name for way in ways], across=across)
        known = cards(db)
        if stored and not labelled(db, stored):
            raise MvarenaError(NO_LABELS)
    if rows.empty and points_of(newest(stored), across=across):
        raise MvarenaError(f"{listed(way.name for way in ways)}: nothing to choose by on these data.")
    if rows.empty:
        raise MvarenaError(NOTHING_TO_PICK)
    if as_json:
        echo_json(rows)
        return
    print_picked(rows, [way for way in ways if pickers or way.name in set(rows["picker"])], known)
    if older := len(stored) - len(newest(stored)):
        say(f"{older} results of older versions of their algorithms are not used.")


def print_picked(rows: pd.DataFrame, ways: Sequence[PickerSpec], known: Cards) -> None:
    """Score and regret of each way, as `mvarena report --table regret`; of data without classes, its choices."""
    from mvarena.report.context import context_of
    from mvarena.report.tables.choices import choice_tables
    from mvarena.report.tables.regret import regret_tables

    context = context_of(known)
    print_tables([*regret_tables(rows, context), *choice_tables(rows, context)], verbose=True)
    for way in ways:
        own = rows[rows["picker"] == way.name]
        if own["unscored"].any() and not own["choice"].any():
            say(f"{way.name} needs scores that are not stored: run 'mvarena score --metric {way.metric}'.")
    unused = [way.name for way in ways if way.name not in set(rows["picker"])]
    if unused:
        say(f"{listed(unused)}: nothing to choose by on these data.")
