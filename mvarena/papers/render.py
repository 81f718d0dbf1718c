"""The generated parts of a page in Markdown, and the numbers within its sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from mvarena.errors import InvalidData
from mvarena.papers.claims import Checked, Fact, Point, check, check_facts
from mvarena.papers.compare import (
    MARKS,
    NO_NUMBER,
    POINTS,
    Cell,
    Comparison,
    Line,
    compare,
    flat,
    lines,
    ranking_lines,
    rule,
    verdict,
)
from mvarena.papers.figures import image_points
from mvarena.papers.measure import Evidence, short_keys
from mvarena.papers.model import AnyItem, Facts, Figure, Paper, Table
from mvarena.registry.catalog import installed_catalog
from mvarena.report.formats.pages import csv_text, markdown_rows
from mvarena.text import listed

_HOW_TO_NAME = "write TABLE / LABEL / COLUMN / METRIC."
_SHOWN_POINTS = 4  # of those at which a claim does not hold


class Rendered:
    """Content of a paper's page, from `found`; each item is compared once.

    found : the evidence. database : as commands under the tables name it.
    """

    def __init__(self, paper: Paper, found: Evidence, database: str) -> None:
        self.paper = paper
        self.found = found
        self._database = database
        self._compared: dict[str, Comparison] = {}
        self._checked: dict[str, tuple[Checked, ...]] = {}

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
        return "\n\n".join([f"**{item.title}**", *self._parts(item)])

    def comparison(self, table: Table) -> Comparison:
        if table.name not in self._compared:
            self._compared[table.name] = compare(table, self.found)
        return self._compared[table.name]

    def claims(self, figure: Figure) -> tuple[Checked, ...]:
        if figure.name not in self._checked:
            self._checked[figure.name] = check(figure, self.found)
        return self._checked[figure.name]

    def csv(self, item: AnyItem) -> str:
        """Every number of the item with what stands beside it, for other programs."""
        return csv_text(self._rows(item))

    def _parts(self, item: AnyItem) -> Iterator[str]:
        """The paragraphs of an item below its title."""
        match item:
            case Table():
                yield from self._table(item)
            case Facts():
                yield from self._facts(item)
            case Figure():
                yield from self._figure(item)

    def _rows(self, item: AnyItem) -> Iterable[Mapping[str, object]]:
        """The rows of an item's .csv file."""
        match item:
            case Table():
                return flat(self.comparison(item))
            case Facts():
                return map(_fact_row, check_facts(item, self.found))
            case Figure():
                return (_point_row(claim, point) for claim in self.claims(item) for point in claim.points)

    def _table(self, table: Table) -> Iterator[str]:
        result = self.comparison(table)
        yield _grid([column.name for column in table.columns], [*lines(result), *ranking_lines(result)])
        if any(row.printed for row in table.rows):
            how = f"Difference with the 95 % interval of our mean; {MARKS}. {rule(table.repeats)}"
            yield f"{_metrics(table.shows)}. {how}"
            yield "\n".join(f"- {item}" for item in verdict(result))
        else:
            yield f"{_metrics(table.shows)}."
        if table.notes:
            yield _bullets(table.notes)
        yield self._trials(table)

    def _facts(self, table: Facts) -> Iterator[str]:
        facts = check_facts(table, self.found)
        by_column = {column.name: [fact for fact in facts if fact.column is column] for column in table.columns}
        paper = [table.printed[column.name] for column in table.columns]
        here = [" / ".join(_fact(item) for item in by_column[column.name]) for column in table.columns]
        yield _grid(list(by_column), [Line("paper", tuple(paper), of_paper=True), Line("here", tuple(here))])
        judged = [fact for fact in facts if fact.same is not None]
        yield f"{sum(bool(item.same) for item in judged)} of {len(judged)} numbers are the same."
        gone = [f"{column.name} is not available: {column.missing}." for column in table.columns if column.missing]
        if table.notes or gone:
            yield _bullets([*gone, *table.notes])

    def _figure(self, figure: Figure) -> Iterator[str]:
        if image_points(figure, self.found) is not None:
            yield f"![{figure.title}]({figure.name}.png)"
        if figure.missing:
            yield f"Not available: {figure.missing}."
        if figure.claims:
            yield "\n".join(_claim(claim) for claim in self.claims(figure))
        flat = any(claim.kind == "flat" for claim in figure.claims)
        notes = [f"Flat is: no more than {POINTS:g} points between the highest mean and the lowest."] if flat else []
        if notes or figure.notes:
            yield _bullets([*notes, *figure.notes])
        if figure.claims:
            yield self._trials(figure)

    def _trials(self, item: Table | Figure) -> str:
        stored = (selector for selector in item.selectors() if len(self.found.part(selector)))
        if (first := next(stored, None)) is None:
            return f"Reproduced by `mvarena reproduce {item.name}`."
        command = f"mvarena results list --trials --db {self._database} {first.filters()}"
        return (
            f"Reproduced by `mvarena reproduce {item.name}`; every number with its trials' filter is in "
            f"[{item.name}.csv]({item.name}.csv). The trials behind the first: `{command}`"
        )

    def _value(self, what: str) -> str:
        """'TABLE / LABEL / COLUMN / METRIC' -> '86.1'; LABEL is that of what was made, after 'ROW > ' where rows
        share it; '... / paper' and '... / difference' the paper's number and the difference. 'TABLE / numbers': how
        many are judged; 'reproduced', 'within 1', 'within 3', 'beyond 10' in its place: how many of these."""
        name, *pieces = (piece.strip() for piece in what.split(" / "))
        table = self.paper.items.get(name)
        if not isinstance(table, Table):
            raise InvalidData(f"'{what}' is not a number; {_HOW_TO_NAME}")
        if len(pieces) == 1 and (count := self.comparison(table).counts.get(pieces[0])) is not None:
            return str(count)
        if len(pieces) not in (3, 4):
            raise InvalidData(f"'{what}' is not a number; {_HOW_TO_NAME}")
        row, _, label = pieces[0].rpartition(" > ")
        for cell in self.comparison(table).cells:
            position = [cell.made.label, cell.column.name, cell.metric]
            if position == [label, *pieces[1:3]] and row in ("", cell.row.name):
                return _said(cell, pieces[3] if len(pieces) == 4 else "")
        raise InvalidData(f"'{what}' is not a number of {table.name}.")


def _said(cell: Cell, which: str) -> str:
    """A number within a sentence: ours, 'paper' the paper's, 'difference' with its sign."""
    ours = cell.measured.mean if cell.measured else None
    number = {"": ours, "paper": cell.paper, "difference": cell.difference}[which]
    if number is None:
        return NO_NUMBER
    return f"{number:+z.1f}" if which == "difference" else f"{number:.1f}"


def _grid(columns: Sequence[str], lines: Iterable[Line]) -> str:
    rows = [
        [f"**{_escaped(line.head)}**" if line.of_paper else _escaped(line.head), *map(_escaped, line.cells)]
        for line in lines
    ]
    return markdown_rows(["", *map(_escaped, columns)], rows)


def _escaped(text: str) -> str:
    return text.replace("[", "\\[").replace("]", "\\]")


def _metrics(names: Sequence[str]) -> str:
    specs = (installed_catalog().metric(name) for name in names)
    return listed(f"{spec.label or spec.name}" for spec in specs)


def _bullets(sentences: Iterable[str]) -> str:
    return "\n".join(f"- {sentence}" for sentence in sentences)


def _fact(fact: Fact) -> str:
    if fact.here is None:
        return NO_NUMBER
    digits = fact.printed.digits if fact.printed else 0
    sign = "" if fact.same is None else " ✓" if fact.same else " ✗"
    return f"{fact.here:.{digits}f}{sign}"


def _fact_row(fact: Fact) -> dict[str, object]:
    return {
        "column": fact.column.name,
        "number": fact.name,
        "printed": "" if fact.printed is None else fact.printed.text,
        "here": None if fact.here is None else round(fact.here, 4),
        "same": fact.same,
    }


def _point_row(checked: Checked, point: Point) -> dict[str, object]:
    return {
        "claim": checked.claim.says,
        "kind": checked.claim.kind,
        "holds": point.holds,
        "seen": point.seen,
        "keys": short_keys(point.keys),
    }


def _claim(checked: Checked) -> str:
    text = f"- {checked.claim.says}: **{checked.verdict}**."
    against = [point.seen for point in checked.points if not point.holds]
    if against and len(checked.points) > 1:
        more = f"; and {len(against) - _SHOWN_POINTS} more" if len(against) > _SHOWN_POINTS else ""
        text += f" Not at: {'; '.join(against[:_SHOWN_POINTS])}{more}."
    elif len(checked.points) == 1:
        text += f" {checked.points[0].seen}."
    return text
