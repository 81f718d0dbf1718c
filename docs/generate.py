"""Pages that are made of the components: a page for each method and data set, tables of the rest, and the reference.

Each says what the component's own announcement says, so that no page can differ from the code. Ranks are those of the
release in reports/arena.
"""

from __future__ import annotations

from pathlib import Path

from generation.components import PICKERS, TRANSFORMS, components_page, corruptions_page, metrics_page
from generation.datasets import dataset_pages
from generation.methods import method_pages
from generation.reference import command_line_page, database_page, hooks_page, protocols_page, study_file_page
from generation.results import result_pages

from mvarena.registry.catalog import installed_catalog


def write_pages(docs: Path) -> None:
    """Write all of them; a page that is as it was is not touched, so that the next build is short."""
    catalog = installed_catalog()
    pages = {
        **method_pages(catalog),
        **dataset_pages(catalog),
        **result_pages(),
        "reference/command-line.md": command_line_page(),
        "reference/corruptions.md": corruptions_page(catalog),
        "reference/transforms.md": components_page(catalog, "transform", "Transforms", TRANSFORMS),
        "reference/metrics.md": metrics_page(catalog),
        "reference/pickers.md": components_page(catalog, "picker", "Pickers", PICKERS),
        "reference/protocols.md": protocols_page(),
        "reference/study-file.md": study_file_page(),
        "reference/hooks.md": hooks_page(),
        "reference/database.md": database_page(),
    }
    for name, text in pages.items():
        path = docs / name
        path.parent.mkdir(exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
