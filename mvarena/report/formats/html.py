"""Tables in HTML: a fragment for a page or a notebook, and a page of its own that opens without anything else."""

from __future__ import annotations

from html import escape

from mvarena.report.tables.model import Cell, Table
from mvarena.text import visible

_STYLE = (
    "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:70em;padding:0 1em;color:#111;background:#fff}"
    "div{overflow-x:auto}table{border-collapse:collapse;border-top:2px solid;border-bottom:2px solid}"
    "caption{text-align:left;font-weight:bold;padding:.4em 0}th,td{padding:.2em .7em;text-align:right;"
    "font-variant-numeric:tabular-nums;white-space:nowrap}th:first-child{text-align:left;font-weight:normal}"
    "thead{border-bottom:1px solid}thead th{font-weight:bold}"
    "@media(prefers-color-scheme:dark){body{color:#eee;background:#111}}"
)


def html_table(table: Table) -> str:
    """`table` as HTML without style: best in <b>, second in <u>; names are text, never markup."""
    spans = "".join(f'<th colspan="{span}" scope="colgroup">{_text(head)}</th>' for head, span in table.spans)
    heads = "".join(f'<th scope="col">{_text(column.head)}</th>' for column in table.columns)
    lines = [
        f'<tr><th scope="row">{_text(row.head)}</th>{"".join(f"<td>{_cell(cell)}</td>" for cell in row.cells)}</tr>'
        for row in table.rows
    ]
    notes = "".join(f"<li>{_text(note)}</li>" for note in (*table.warnings, *table.notes))
    text = (f"<p>{_text(table.caption)}</p>" if table.caption else "") + (f"<ul>{notes}</ul>" if notes else "")
    return "\n".join(
        [
            f"<div><table>\n<caption>{_text(table.title)}</caption>\n<thead>",
            *([f"<tr><td></td>{spans}</tr>"] if any(head for head, _ in table.spans) else []),
            f'<tr><th scope="col">{_text(table.head)}</th>{heads}</tr>\n</thead>\n<tbody>',
            *lines,
            f"</tbody>\n</table></div>\n{text}",
        ]
    )


def html_page(table: Table) -> str:
    """The table as a whole document, which loads nothing."""
    head = f'<meta charset="utf-8"><title>{_text(table.title)}</title><style>{_STYLE}</style>'
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n{html_table(table)}\n</body></html>\n'


def _text(text: str) -> str:
    return escape(" ".join(visible(text).split()))


def _cell(cell: Cell) -> str:
    mean = _text(cell.text)
    emphasised = {1: f"<b>{mean}</b>", 2: f"<u>{mean}</u>"}.get(cell.rank, mean)
    return cell.shown(emphasised)
