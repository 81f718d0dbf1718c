"""Configuration of the documentation, which `make docs` builds into docs/_build/html."""

from __future__ import annotations

import sys
from pathlib import Path

from sphinx.application import Sphinx

import mvarena

sys.path.insert(0, str(Path(__file__).parent))
import docstrings
import generate
from generation.results import write_arena_site

project = "mvarena"
release = version = mvarena.__version__
project_copyright = "the authors of mvarena"

extensions = ["outputs", "myst_parser", "sphinx.ext.autodoc", "numpydoc", "sphinx_design"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

# docstrings are written with names before a colon and sentences after it, without types, which signatures have
numpydoc_show_class_members = False
autosummary_generate = False
numpydoc_xref_param_type = False
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
default_role = "literal"  # names between single backticks

html_theme = "furo"
html_title = f"mvarena {release}"
html_static_path = ["static"]
html_css_files = ["pages.css"]
html_js_files = ["highlight.js"]
html_search_scorer = str(Path(__file__).with_name("search_scorer.js"))
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}  # no font, script or picture comes from another host


def setup(app: Sphinx) -> None:
    """Write the pages that are made of the components before any is read, and read docstrings as they are written."""
    app.connect("builder-inited", lambda app: generate.write_pages(Path(app.srcdir)))
    app.connect("build-finished", lambda app, error: error or write_arena_site(Path(app.outdir) / "arena"))
    # before numpydoc, which comes at 500
    app.connect("autodoc-process-docstring", lambda *told: docstrings.restructure(told[-1]), priority=400)
