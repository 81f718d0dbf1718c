"""Data of the quality page: what is missing, failed, collapsed or no better than a control, and what other code ran."""

from __future__ import annotations

from typing import Any

from mvarena.contracts.outcome import Status
from mvarena.registry.stale_results import stale_trials
from mvarena.report.tables import quality
from mvarena.report.tables.model import Table
from mvarena.site.data import Material
from mvarena.text import visible, without_folders


def quality_page(material: Material) -> dict[str, Any]:
    """Tables of quality of each preparation's results, and facts on all stored trials.

    tables : metric -> those of `mvarena report --table quality`, of the preparation that is shown first. findings :
    metric -> sentences with their severity (`mvarena.report.findings`). endings : trials that did not finish, by method
    and status.
    """
    results, stale = material.results, stale_trials(material.trials)
    tables: dict[str, list[dict[str, Any]]] = {}
    for table in quality.tables(results):
        tables.setdefault(str(table.metric), []).append(_plain(table))
    return {
        "tables": tables,
        "findings": {
            metric: [
                {"severity": item.severity, "text": visible(item.text)} for item in results.findings(stale, metric)
            ]
            for metric in material.metrics
        },
        "endings": _endings(material),
    }


def _plain(table: Table) -> dict[str, Any]:
    """A table as its texts, with the numbers that its columns are sorted by."""
    return {
        "head": table.head,
        "title": table.title,
        "setting": table.setting,
        "columns": [column.head for column in table.columns],
        "rows": [
            {"name": visible(row.head), "texts": [cell.text for cell in row.cells], "numbers": [
                None if cell.mean != cell.mean else cell.mean for cell in row.cells
            ]}
            for row in table.rows
        ],
    }  # fmt: skip


def _endings(material: Material) -> list[dict[str, Any]]:
    """Method, data set and status -> how many trials ended so, with the reason of the first."""
    trials = material.trials.drop_duplicates("key")
    unfinished = trials[trials["status"] != Status.DONE]
    return [
        {"method": visible(method), "data": visible(dataset), "status": str(status), "trials": len(part),
         "reason": visible(without_folders(part["reason"].iloc[0] or ""))}
        for (method, dataset, status), part in unfinished.groupby(["algorithm", "dataset", "status"])
    ]  # fmt: skip
