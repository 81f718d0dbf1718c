"""A new plugin from templates: a small complete distribution that installs and passes its tests as written."""

from __future__ import annotations

import keyword
import re
from importlib.resources import files
from pathlib import Path
from string import Template

from mvarena import __version__
from mvarena.contracts.hooks import HOOKS_VERSION
from mvarena.errors import InvalidSetting

_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")


def write_plugin(name: str, kind: str, folder: Path) -> list[Path]:
    """Write a distribution `mvarena-NAME` with a component of that kind into a new folder; the files written.

    Raises InvalidSetting for a name that cannot be one, and where the folder is there already.
    """
    words = _words(name, kind)
    if folder.exists():
        raise InvalidSetting(f"{folder} exists already; name a new folder.", field="out", value=str(folder))
    package = folder / words["package"]
    targets = {
        "pyproject.toml": folder / "pyproject.toml",
        "readme.md": folder / "README.md",
        "init.py": package / "__init__.py",
        f"{kind}_specs.py": package / "specs.py",
        f"{kind}.py": package / f"{words['module']}.py",
        "test_conformance.py": folder / "tests" / "test_conformance.py",
    }
    for template, path in targets.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_template(template).substitute(words), encoding="utf-8")
    return list(targets.values())


def _words(name: str, kind: str) -> dict[str, str]:
    """Values of the templates' placeholders."""
    module = name.replace("-", "_")
    if not _NAME.fullmatch(name) or not module.isidentifier() or keyword.iskeyword(module):
        raise InvalidSetting(
            f"'{name}' cannot be a component's name: use lower case letters, digits and hyphens, a letter first.",
            field="name",
            value=name,
        )
    major, minor, *_ = __version__.split(".")
    return {
        "bounds": f">={major}.{minor},<{major}.{int(minor) + 1}",
        "hooks_version": str(HOOKS_VERSION),
        "name": name,
        "kind": kind,
        "module": module,
        "package": f"mvarena_{module}",
        "distribution": f"mvarena-{name}",
        "constant": module.upper(),
        "class_name": "".join(word.capitalize() for word in name.split("-")),
        "hook": f"mvarena_{kind}s",
    }


def _template(name: str) -> Template:
    return Template(files("mvarena.testing").joinpath("templates", f"{name}.tmpl").read_text("utf-8"))
