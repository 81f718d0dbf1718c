"""Data of the quality page: what is missing, failed, collapsed or no better than a baseline, and what was asked for."""

from __future__ import annotations

from typing import Any

from mvarena.report.tables.model import Table
from mvarena.report.tables.quality import tables as quality_tables
from mvarena.site.data import Material
from mvarena.store.runs import runs_of
from mvarena.text import visible


def quality_page(material: Material) -> dict[str, Any]:
    """Tables of quality, and facts on all stored trials.

    tables : metric -> those of `mvarena report --table quality`. findings : metric -> sentences with their severity
    (`mvarena.report.findings`). runs : commands that asked for results.
    """
    results = material.results
    tables: dict[str, list[dict[str, Any]]] = {}
    for table in quality_tables(results):
        tables.setdefault(str(table.metric), []).append(_plain(table))
    findings = {metric: results.findings(metric) for metric in material.metrics}
    return {
        "tables": tables,
        "findings": {
            metric: [{"severity": one.severity, "text": visible(one.text)} for one in found]
            for metric, found in findings.items()
        },
        "runs": [
            {"command": visible(run.command), "began": f"{run.began:%Y-%m-%d %H:%M} UTC", "n": run.n_trials,
             "ended": run.how.value or "not yet, or killed", "mvarena": visible(run.mvarena)}
            for run in runs_of(material.db)
        ],
    }  # fmt: skip


def _plain(table: Table) -> dict[str, Any]:
    """A table as its texts, with the numbers that its columns are sorted by."""
    return {
        "head": table.head,
        "title": table.title,
        "setting": table.setting,
        "notes": [visible(note) for note in table.notes],
        "columns": [column.head for column in table.columns],
        "rows": [
            {"name": visible(row.head), "texts": [cell.text for cell in row.cells], "numbers": [
                None if cell.mean != cell.mean else cell.mean for cell in row.cells
            ]}
            for row in table.rows
        ],
    }  # fmt: skip
