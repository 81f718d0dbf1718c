"""The folder of a paper: its page, its numbers as .csv files, and the database that all of them are made from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mvarena.errors import InvalidData
from mvarena.papers.figures import image, image_points
from mvarena.papers.measure import evidence
from mvarena.papers.model import AnyItem, Facts, Figure, Paper, Table
from mvarena.papers.render import Rendered
from mvarena.report.formats.pages import differing, filled, item_of, marked, parts_of, write_changed
from mvarena.store.database import Database

PAGE, DATABASE = "README.md", "results.db"


@dataclass(frozen=True, slots=True)
class Book:
    """Location of a paper's page. folder : of the page, and of the results behind it."""

    paper: Paper
    folder: Path

    @property
    def db(self) -> Path:
        return self.folder / DATABASE

    @property
    def page(self) -> Path:
        return self.folder / PAGE

    @property
    def quoting(self) -> list[Path]:
        """Pages beside the folder of all pages that may quote their numbers: a project's README.md and docs/, but for
        docs/results/, which the documentation makes of the pages themselves."""
        root = self.folder.parent.parent
        pages = [root / PAGE, *sorted(root.glob("docs/**/*.md"))]
        return [path for path in pages if path.is_file() and path.parent != root / "docs" / "results"]

    def rendered(self, db: Database) -> Rendered:
        """Everything that the results in `db` say of the paper."""
        result = evidence(db, metrics_of(self.paper))
        return Rendered(self.paper, result, self._shown_db())

    def _shown_db(self) -> str:
        """The database as the page names it: from the folder that holds that of all pages, so that the page is the same
        wherever it is made."""
        return Path(self.folder.resolve().parent.name, self.folder.name, DATABASE).as_posix()

    def files(self, rendered: Rendered) -> Iterator[tuple[Path, str]]:
        """Each generated file and what it is to hold: the page with its parts made again, and the .csv files.

        Raises InvalidData for a page with a part that the paper does not have.
        """
        text = self.page.read_text(encoding="utf-8") if self.page.exists() else self._blank()
        yield self.page, _filled(self.page, text, rendered)
        for path in self.quoting:
            text = path.read_text(encoding="utf-8")
            if any(item_of(what) in self.paper.items for _, what in parts_of(text)):
                yield path, _filled(path, text, rendered, only=self.paper.items)
        for item in self.paper.items.values():
            if content := rendered.csv(item):
                yield self.folder / f"{item.name}.csv", content

    def write(self, rendered: Rendered) -> list[Path]:
        """Write what changed, and give the paths of all generated files, images last."""
        files = dict(self.files(rendered))
        write_changed(files)
        paths = list(files)
        self.folder.mkdir(parents=True, exist_ok=True)
        for path, figure in self._images(rendered):
            path.write_bytes(image(figure, rendered.found))
            paths.append(path)
        return paths

    def outdated(self, rendered: Rendered) -> list[Path]:
        """The generated texts that are not what the results give, and images that are not there.

        What an image holds is not compared: it depends on the fonts of a machine.
        """
        gone = [path for path, _ in self._images(rendered) if not path.exists()]
        return gone + differing(dict(self.files(rendered)))

    def _images(self, rendered: Rendered) -> Iterator[tuple[Path, Figure]]:
        for figure in self.paper.figures:
            if image_points(figure, rendered.found) is not None:
                yield self.folder / f"{figure.name}.png", figure

    def _blank(self) -> str:
        beside = " beside its paper" if self.paper.tables or self.paper.figures else ""
        parts = [f"# {self.paper.title}{beside}", f"{self.paper.source}."]
        for item in self.paper.items.values():
            parts.append(marked("figure" if isinstance(item, Figure) else "table", item.name))
        return "\n\n".join(parts) + "\n"


def _filled(page: Path, text: str, rendered: Rendered, only: Collection[str] | None = None) -> str:
    try:
        return filled(text, rendered.part, only)
    except InvalidData as error:
        raise InvalidData(f"{page}: {error}") from error


def metrics_of(paper: Paper) -> list[str]:
    """Every metric that some number or claim of the paper is by; ACC always, which labels pick by."""
    result = dict.fromkeys(["acc"])
    for item in paper.items.values():
        result |= dict.fromkeys(_metrics(item))
    return list(result)


def _metrics(item: AnyItem) -> Iterable[str]:
    """The metrics that an item needs."""
    match item:
        case Table():
            return item.metrics
        case Figure():
            return (metric for claim in item.claims for metric in claim.metrics)
        case Facts():
            return ()
