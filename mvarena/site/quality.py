"""Data of the quality page: what is missing, failed, collapsed or no better than a control, and what other code ran."""

from __future__ import annotations

from collections import Counter
from typing import Any

from mvarena.contracts.outcome import Status
from mvarena.errors import MvarenaError
from mvarena.registry.catalog import Catalog
from mvarena.registry.code_digest import code_digest, is_other_code
from mvarena.report.notes import collapse_notes
from mvarena.report.tables.model import Table
from mvarena.site.data import Material
from mvarena.text import visible, without_folders


def quality_page(material: Material) -> dict[str, Any]:
    """Tables of quality of each preparation's results, and facts on all stored trials.

    tables : metric -> those of `mvarena report --table quality`, of the preparation that is shown first. collapsed :
    sentences on labellings of too few clusters. stale : per method, how many trials other code than the installed one
    has run. endings : trials that did not finish, by method and status.
    """
    tables: dict[str, list[dict[str, Any]]] = {}
    for table in material.results.quality:
        tables.setdefault(str(table.metric), []).append(_plain(table))
    return {
        "tables": tables,
        "collapsed": [
            visible(sentence) for sentence in collapse_notes(material.results.collapsed, material.results.context)
        ],
        "stale": _stale(material),
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


def _stale(material: Material) -> list[dict[str, Any]]:
    """Methods with trials that are known to be of other code than the installed one, and how many of how many."""
    trials = material.trials.drop_duplicates("key")
    result = []
    for algorithm, part in trials.groupby("algorithm"):
        now = _installed_code(material.catalog, str(algorithm))
        count = sum(is_other_code(stored, now) for stored in part["source_hash"])
        if count:
            result.append({"method": visible(str(algorithm)), "stale": count, "trials": len(part)})
    return result


def _installed_code(catalog: Catalog, algorithm: str) -> str:
    """The digest of the installed code; empty for what is not installed or cannot be imported."""
    try:
        return code_digest(catalog.load(catalog.algorithm(algorithm)))
    except MvarenaError:
        return ""


def _endings(material: Material) -> list[dict[str, Any]]:
    """Method, data set and status -> how many trials ended so, with the reason of the first."""
    trials = material.trials.drop_duplicates("key")
    unfinished = trials[trials["status"] != Status.DONE]
    counts = Counter(zip(unfinished["algorithm"], unfinished["dataset"], unfinished["status"], strict=True))
    reasons = unfinished.drop_duplicates(["algorithm", "dataset", "status"])
    first = dict(
        zip(
            zip(reasons["algorithm"], reasons["dataset"], reasons["status"], strict=True),
            reasons["reason"],
            strict=True,
        )
    )
    return [
        {"method": visible(method), "data": visible(dataset), "status": str(status), "trials": count,
         "reason": visible(without_folders(first[method, dataset, status] or ""))}
        for (method, dataset, status), count in sorted(counts.items())
    ]  # fmt: skip
