"""The generated parts of a page in Markdown, and the numbers within its sentences."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mvarena.errors import InvalidData
from mvarena.papers.alternatives import Compared, compare_alternatives
from mvarena.papers.claims import Checked, check
from mvarena.papers.compare import RULE, Cell, Comparison, compare
from mvarena.papers.drawing import image_points
from mvarena.papers.evidence import Evidence
from mvarena.papers.facts import Fact, check_facts
from mvarena.papers.lines import MARKS, NO_NUMBER, Line, flat, lines, ranking_lines, verdict
from mvarena.papers.model import AnyItem, Facts, Figure, Paper, Table
from mvarena.papers.questions import Alternatives, Picking
from mvarena.papers.render_questions import (
    alternatives_number,
    alternatives_part,
    alternatives_rows,
    picking_number,
    picking_part,
    picking_rows,
)
from mvarena.registry.catalog import installed_catalog
from mvarena.report.wording import listed

_SHOWN_POINTS = 4  # of those at which a claim does not hold


class Rendered:
    """What a page of `paper` is filled with, from `found`; each item is compared once.

    found : the evidence. database : as commands under the tables name it.
    """

    def __init__(self, paper: Paper, found: Evidence, database: str) -> None:
        self.paper = paper
        self.found = found
        self._database = database
        self._compared: dict[str, Comparison] = {}
        self._checked: dict[str, tuple[Checked, ...]] = {}
        self._alternatives: dict[str, Compared] = {}

    def part(self, kind: str, what: str) -> str:
        """The Markdown of one part. Raises InvalidData for a part that the paper does not have."""
        if kind == "value":
            return self._value(what)
        item = self.paper.items.get(what)
        if item is None or kind not in ("table", "figure"):
            known = ", ".join(self.paper.items)
            raise InvalidData(f"the page of {self.paper.name} asks for {kind} '{what}'; there are {known}.")
        return self.item(item)

    def item(self, item: AnyItem) -> str:
        """A whole table or figure."""
        return "\n\n".join(self._parts(item))

    def _parts(self, item: AnyItem) -> Iterator[str]:
        if isinstance(item, Table):
            yield from self._table(item)
        elif isinstance(item, Facts):
            yield from self._facts(item)
        elif isinstance(item, Figure):
            yield from self._figure(item)
        elif isinstance(item, Alternatives):
            yield from alternatives_part(item, self.alternatives(item))
            yield self._trials(item)
        else:
            yield from picking_part(item, self.found.picks[item.name])
            yield self._trials(item)

    def comparison(self, table: Table) -> Comparison:
        if table.name not in self._compared:
            self._compared[table.name] = compare(table, self.found)
        return self._compared[table.name]

    def facts(self, table: Facts) -> tuple[Fact, ...]:
        return check_facts(table, self.found)

    def claims(self, figure: Figure) -> tuple[Checked, ...]:
        if figure.name not in self._checked:
            self._checked[figure.name] = check(figure, self.found)
        return self._checked[figure.name]

    def alternatives(self, item: Alternatives) -> Compared:
        if item.name not in self._alternatives:
            self._alternatives[item.name] = compare_alternatives(item, self.found)
        return self._alternatives[item.name]

    def csv(self, item: AnyItem) -> str:
        """Every number of the item with what stands beside it, for other programs."""
        if isinstance(item, Alternatives):
            return _csv(alternatives_rows(item, self.alternatives(item)))
        if isinstance(item, Picking):
            return _csv(picking_rows(item, self.found.picks[item.name]))
        if isinstance(item, Table):
            return _csv(flat(self.comparison(item)))
        if isinstance(item, Facts):
            return _csv(
                {
                    "column": fact.column.name,
                    "number": fact.name,
                    "printed": "" if fact.printed is None else fact.printed.text,
                    "here": None if fact.here is None else round(fact.here, 4),
                    "same": fact.same,
                }
                for fact in self.facts(item)
            )
        return _csv(
            {"claim": one.claim.says, "kind": one.claim.kind, "holds": point.holds, "seen": point.seen}
            for one in self.claims(item)
            for point in one.points
        )

    def _table(self, table: Table) -> Iterator[str]:
        found = self.comparison(table)
        yield f"**{table.title}**"
        yield _grid([column.name for column in table.columns], [*lines(found), *ranking_lines(found)])
        if any(row.printed for row in table.rows):
            yield f"{_metrics(table.shows)}. Difference with the 95 % interval of our mean; {MARKS}. {RULE}"
            yield "\n".join(f"- {one}" for one in verdict(found))
        else:
            yield f"{_metrics(table.shows)}."
        if table.notes:
            yield _bullets(table.notes)
        yield self._trials(table)

    def _facts(self, table: Facts) -> Iterator[str]:
        yield f"**{table.title}**"
        by_column = {
            column.name: [one for one in self.facts(table) if one.column is column] for column in table.columns
        }
        paper = [table.printed[column.name] for column in table.columns]
        here = [" / ".join(_fact(one) for one in by_column[column.name]) for column in table.columns]
        yield _grid(list(by_column), [Line("paper", tuple(paper), "paper"), Line("here", tuple(here), "ours")])
        judged = [one for facts in by_column.values() for one in facts if one.same is not None]
        yield f"{sum(bool(one.same) for one in judged)} of {len(judged)} numbers are the same."
        gone = [f"{column.name} cannot be had: {column.missing}." for column in table.columns if column.missing]
        if table.notes or gone:
            yield _bullets([*gone, *table.notes])

    def _figure(self, figure: Figure) -> Iterator[str]:
        yield f"**{figure.title}**"
        if image_points(figure, self.found) is not None:
            yield f"![{figure.title}]({figure.name}.png)"
        if figure.missing:
            yield f"Cannot be had: {figure.missing}."
        if figure.claims:
            yield "\n".join(_claim(one) for one in self.claims(figure))
        if figure.notes:
            yield _bullets(figure.notes)
        if figure.claims:
            yield self._trials(figure)

    def _trials(self, item: Table | Figure | Alternatives | Picking) -> str:
        stored = (one for one in item.selectors() if len(self.found.part(one)))
        if (first := next(stored, None)) is None:
            return f"Made again by `mvarena reproduce {item.name}`."
        command = f"mvarena results list --trials --db {self._database} {first.filters()}"
        return (
            f"Made again by `mvarena reproduce {item.name}`; every number with its trials' filter is in "
            f"[{item.name}.csv]({item.name}.csv). The trials behind the first: `{command}`"
        )

    def _value(self, what: str) -> str:
        """'TABLE / LABEL / COLUMN / METRIC' -> '86.1'; LABEL is that of what was made, after 'ROW > ' where rows
        share it; '... / paper' and '... / difference' the paper's number and the difference."""
        pieces = [piece.strip() for piece in what.split(" / ")]
        table = self.paper.items.get(pieces[0])
        if len(pieces) == 4 and isinstance(table, Alternatives):
            return alternatives_number(table, self.alternatives(table), pieces[1:])
        if len(pieces) == 4 and isinstance(table, Picking):
            return picking_number(table, self.found.picks[table.name], pieces[1:])
        if len(pieces) not in (4, 5) or not isinstance(table, Table):
            raise InvalidData(f"'{what}' is no number; write TABLE / LABEL / COLUMN / METRIC.")
        row, _, label = pieces[1].rpartition(" > ")
        for cell in self.comparison(table).cells:
            place = [cell.made.label, cell.column.name, cell.metric]
            if place == [label, *pieces[2:4]] and row in ("", cell.row.name):
                return _said(cell, pieces[4] if len(pieces) == 5 else "")
        raise InvalidData(f"'{what}' is no number of {table.name}.")


def _said(cell: Cell, which: str) -> str:
    """A number within a sentence: ours, 'paper' the paper's, 'difference' with its sign."""
    ours = cell.measured.mean if cell.measured else None
    number = {"": ours, "paper": cell.paper, "difference": cell.difference}[which]
    if number is None:
        return NO_NUMBER
    return f"{number:+.1f}" if which == "difference" else f"{number:.1f}"


def _grid(columns: Sequence[str], rows: Iterable[Line]) -> str:
    text = [f"| | {' | '.join(map(_escaped, columns))} |", f"|---|{'---|' * len(columns)}"]
    for line in rows:
        head = f"**{_escaped(line.head)}**" if line.kind == "paper" else _escaped(line.head)
        text.append(f"| {head} | {' | '.join(map(_escaped, line.cells))} |")
    return "\n".join(text)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("[", "\\[").replace("]", "\\]")


def _metrics(names: Sequence[str]) -> str:
    specs = (installed_catalog().metric(name) for name in names)
    return listed(f"{spec.label or spec.name}" for spec in specs)


def _bullets(sentences: Iterable[str]) -> str:
    return "\n".join(f"- {one}" for one in sentences)


def _fact(fact: Fact) -> str:
    if fact.here is None:
        return NO_NUMBER
    digits = fact.printed.digits if fact.printed else 0
    sign = "" if fact.same is None else " ✓" if fact.same else " ✗"
    return f"{fact.here:.{digits}f}{sign}"


def _claim(checked: Checked) -> str:
    text = f"- {checked.claim.says}: **{checked.verdict}**."
    against = [point.seen for point in checked.points if not point.holds]
    if against and len(checked.points) > 1:
        more = f"; and {len(against) - _SHOWN_POINTS} more" if len(against) > _SHOWN_POINTS else ""
        text += f" Not at: {'; '.join(against[:_SHOWN_POINTS])}{more}."
    elif len(checked.points) == 1:
        text += f" {checked.points[0].seen}."
    return text


def _csv(rows: Iterable[Mapping[str, object]]) -> str:
    found = list(rows)
    text = io.StringIO()
    if found:
        writer = csv.DictWriter(text, list(found[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(found)
    return text.getvalue()
