"""Writes the site: one page, its scripts and styles, and the data as scripts."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from mvarena.errors import InvalidSetting
from mvarena.registry.catalog import Catalog
from mvarena.report.files import write_file
from mvarena.site.data import Material, Wanted, material_of
from mvarena.site.methods import dataset_cards, method_cards
from mvarena.site.quality import quality_page
from mvarena.site.scripts import script_of
from mvarena.site.studies import BLOCK, run_scripts, studies_of
from mvarena.site.trials import labels_of, point_tables, trial_table, value_tables
from mvarena.store.database import Database
from mvarena.system.garbage_collection import uncollected

INDEX = "index.html"
DATA = "data"


@uncollected()
def write_site(db: Database, folder: str | Path, catalog: Catalog, wanted: Wanted | None = None) -> Path:
    """Write the site of what is wanted of `db` (None: everything) into `folder` and return its first page.

    Data that an earlier site left in the folder are replaced; nothing else in it is touched.
    Raises MvarenaError if there are no results, InvalidSetting if a file cannot be written.
    """
    material = material_of(db, catalog, wanted or Wanted())
    scripts = dict(data_scripts(material, Path(db.where).name))
    out = Path(folder)
    try:
        _clear(out / DATA)
        for name, text in scripts.items():
            write_file(out / DATA / name, text)
        for name, content in static_files():
            write_file(out / name, content)
    except InvalidSetting as error:
        error.field = "html"
        raise
    return out / INDEX


def data_scripts(material: Material, title: str) -> Iterator[tuple[str, str]]:
    """File name -> script, for all data of a site."""
    runs, with_runs = run_scripts(material)
    labels = labels_of(material, title)
    points, values = point_tables(material), value_tables(material)
    labels |= {"runs": sorted(runs), "block": BLOCK, "with_runs": with_runs}
    yield "labels.js", script_of("labels", labels)
    yield "cards.js", script_of("cards", {"methods": method_cards(material), "datasets": dataset_cards(material)})
    yield "quality.js", script_of("quality", quality_page(material))
    studies, of_trial = studies_of(material)
    yield "studies.js", script_of("studies", studies)
    yield "trials.js", script_of("trials", trial_table(material) | {"study": of_trial})
    for index, metric in enumerate(material.metrics):
        yield f"points-{index}.js", script_of(f"points-{index}", points.get(metric))
        yield f"values-{index}.js", script_of(f"values-{index}", values[metric])
    for block, text in runs.items():
        yield f"runs-{block}.js", text


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
