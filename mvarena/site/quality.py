"""Data of the quality page: what is missing, failed, collapsed or no better than a baseline, and what was asked for."""

from __future__ import annotations

import re
from typing import Any

from mvarena.contracts.outcome import Status
from mvarena.report.tables.model import Table
from mvarena.report.tables.quality import tables as quality_tables
from mvarena.site.data import Material
from mvarena.store.runs import runs_of
from mvarena.text import visible, without_folders


def quality_page(material: Material) -> dict[str, Any]:
    """Tables of quality, and facts on all stored trials.

    tables : metric -> those of `mvarena report --table quality`. findings : metric -> sentences with their severity
    (`mvarena.report.findings`). endings : trials that did not finish, by method and reason. runs : commands that asked
    for results.
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
        "endings": _endings(material),
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
        "columns": [column.head for column in table.columns],
        "rows": [
            {"name": visible(row.head), "texts": [cell.text for cell in row.cells], "numbers": [
                None if cell.mean != cell.mean else cell.mean for cell in row.cells
            ]}
            for row in table.rows
        ],
    }  # fmt: skip


def _endings(material: Material) -> list[dict[str, Any]]:
    """Method, status and reason -> how many trials ended so, and on which data sets."""
    trials = material.trials.drop_duplicates("key")
    unfinished = trials[trials["status"] != Status.DONE]
    reasons = unfinished["reason"].fillna("").map(without_folders)
    alike = [_without_data(*pair) for pair in zip(reasons, unfinished["dataset"], strict=True)]
    groups = unfinished.assign(reason=reasons, alike=alike).groupby(["algorithm", "status", "alike"])
    return [
        {"method": visible(method), "status": str(status), "reason": visible(part["reason"].iloc[0]),
         "trials": len(part), "datasets": sorted(map(visible, part["dataset"].unique()))}
        for (method, status, _), part in groups
    ]  # fmt: skip


def _without_data(reason: str, dataset: str) -> str:
    """A reason without the name and the numbers of the data, and without advice: what is alike on several data sets."""
    return re.sub(r"\d+", "0", reason.replace(dataset.partition("[")[0], "").partition(";")[0])
