"""The transcribed tables: as many numbers as the papers print, with the same sum, within bounds, and bold ones best."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest

from mvarena.papers.catalog import papers
from mvarena.papers.model import read_cell
from mvarena.registry.catalog import installed_catalog
from mvarena.study.file import shipped_studies
from mvarena.study.protocols import PROTOCOLS

# table -> how many numbers with a point the paper's text has there, deviations among them, and their sum
PRINTED = {
    "apmc-table-1": (120, "3102.72"),
    "eeimvc-table-1": (168, "2484.2"),
    "emvc-table-3": (420, "130.863"),
    "emvc-table-4": (280, "80.777"),
    "emvc-table-5": (140, "42.636"),
    "mic-table-4": (46, "17.2872"),
    "rnnmf-table-2": (108, "6674.41"),
}
TABLES = [pytest.param(table, id=table.name) for paper in papers().values() for table in paper.tables]


@pytest.mark.parametrize("table", [one for one in TABLES if one.id in PRINTED])
def test_every_number_is_there(table):
    numbers = [
        number for row in table.rows for text in row.printed.values() for number in re.findall(r"\d+\.\d+", text)
    ]
    assert (len(numbers), sum(map(Decimal, numbers))) == (PRINTED[table.name][0], Decimal(PRINTED[table.name][1]))


def test_every_printed_table_has_a_sum():
    assert {one.id for one in TABLES if any(row.printed for row in one.values[0].rows)} == set(PRINTED)


@pytest.mark.parametrize("table", TABLES)
def test_rows_have_all_columns_and_numbers_are_within_bounds(table):
    for row in table.rows:
        if row.printed:
            assert set(row.printed) == {column.name for column in table.columns}, row.name
        for text in row.printed.values():
            for metric, cell in zip(table.metrics, read_cell(text, len(table.metrics)), strict=True):
                if cell is not None:
                    largest = 5.0 if metric == "entropy" else 1.0 if table.scale == "share" else 100.0
                    assert 0.0 <= cell.value <= largest
                    assert cell.std is None or 0.0 <= cell.std <= largest / 5


@pytest.mark.parametrize("table", [one for one in TABLES if one.values[0].bold])
def test_what_is_bold_is_best(table):
    for column in table.columns:
        for metric in table.metrics:
            cells = [cell for row in table.rows if (cell := table.printed(row, column, metric)) is not None]
            assert {cell.value for cell in cells if cell.bold} == {max(cell.value for cell in cells)}


def test_studies_methods_metrics_and_protocols_exist():
    catalog = installed_catalog()
    for item in (item for paper in papers().values() for item in paper.items.values()):
        assert item.study in shipped_studies(), item.name
        for selector in item.selectors():
            assert selector.algo is None or catalog.algorithm(selector.algo)
            assert selector.protocol is None or selector.protocol in PROTOCOLS, item.name
        for metric in getattr(item, "metrics", ()):
            assert catalog.metric(metric)


def test_entropy_and_nmi_agree_where_both_are_printed():
    """2 I / (H(C) + H(K)) with I = H(C) - H(C|K): more information left in the classes is less in common."""
    for table in (one.values[0] for one in TABLES if "entropy" in one.values[0].metrics):
        for column in table.columns:
            pairs = sorted(
                (table.printed(row, column, "nmi").value, table.printed(row, column, "entropy").value)
                for row in table.rows
            )
            assert pairs[0][1] > pairs[-1][1]
