"""Writes the site: one page, its scripts and styles, and the data as scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from mvarena.errors import InvalidSetting
from mvarena.report.files import write_file
from mvarena.site.boards import boards_of
from mvarena.site.cards import dataset_cards, method_cards
from mvarena.site.data import Material, material_of
from mvarena.site.labels import labels_of
from mvarena.site.points import point_tables
from mvarena.site.quality import quality_page
from mvarena.site.scripts import script_of
from mvarena.site.trials import trial_table, value_tables
from mvarena.store.database import Database
from mvarena.store.filters import Filter
from mvarena.system.garbage_collection import uncollected

INDEX = "index.html"
DATA = "data"


@uncollected()
def write_site(
    db: Database,
    folder: str | Path,
    only: Filter | None = None,
    *,
    metrics: Sequence[str] = (),
    highlight: Sequence[str] = (),
) -> Path:
    """Write the site of a database (`mvarena.site.data.material_of`) into `folder` and return its first page.

    Data that an earlier site left in the folder are replaced; nothing else in it is touched.
    Raises MvarenaError if there are no results, InvalidSetting if a file cannot be written.
    """
    material = material_of(db, only, metrics=metrics, highlight=highlight)
    scripts = dict(data_scripts(material, Path(db.where).name))
    out = Path(folder)
    try:
        _clear(out / DATA)
        for name, text in scripts.items():
            write_file(out / DATA / f"{name}.js", text)
        for name, content in static_files():
            write_file(out / name, content)
    except InvalidSetting as error:
        error.field = "html"
        raise
    return out / INDEX


def data_scripts(material: Material, title: str) -> Iterator[tuple[str, str]]:
    """Name -> script, for all data of a site."""
    shared, points = point_tables(material)
    whole: dict[str, Any] = {
        "labels": labels_of(material, title),
        "cards": {"methods": method_cards(material), "datasets": dataset_cards(material)},
        "quality": quality_page(material),
        "trials": trial_table(material),
        "points": shared,
    }
    values = value_tables(material)
    for index, metric in enumerate(material.metrics):
        whole |= {f"points-{index}": points[index], f"values-{index}": values[index]}
        whole[f"boards-{index}"] = boards_of(material, metric)
    for name, value in whole.items():
        yield name, script_of(name, value)


def static_files() -> Iterator[tuple[str, bytes]]:
    """Path within the site -> content, for all that is the same in every site."""
    yield from _below(files("mvarena.site") / "assets", "")


def _below(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if path.is_dir():
            yield from _below(path, f"{prefix}{path.name}/")
        elif not path.name.startswith((".", "__")):
            yield f"{prefix}{path.name}", path.read_bytes()


def _clear(folder: Path) -> None:
    """Remove the scripts of an earlier site, which the coming one may have fewer of."""
    try:
        for path in folder.glob("*.js"):
            path.unlink()
    except OSError as error:
        raise InvalidSetting(
            f"{folder} cannot be written ({error.strerror or error}); choose a folder with write permission."
        ) from error
