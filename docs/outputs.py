"""The directive `command`: a command of a guide, with the output that it has when the documentation is built.

The commands of a page run in order in a new folder, which holds the drawn patients of `gallery/clinic` and, as
`my_method.py`, the page's first block of Python that defines a class. A command that fails, has no line that `:from:`
matches, or draws no `:figure:` is an error of the build.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

WIDTH = 84  # characters that a block of code holds beside the contents
_CLASS = re.compile(r"^```python\n(.*?^class .*?)^```", re.MULTILINE | re.DOTALL)


class Command(SphinxDirective):
    """Options: `:from:` a pattern of the first shown line, `:lines:` how many are shown (12), `:none:` to show
    no output, `:figure:` a picture that the command has drawn, `:caption:` what the picture shows."""

    has_content = True
    option_spec: ClassVar = {
        "from": directives.unchanged_required,
        "lines": directives.nonnegative_int,
        "none": directives.flag,
        "figure": directives.unchanged_required,
        "caption": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        command = "\n".join(self.content)
        code, output = ran(command, self._folder())
        if code:
            raise self.error(f"exit code {code} of the command\n{command}\n{output}")
        shown = [_block(command, "sh", "typed")]
        if "none" not in self.options:
            part = excerpt(output, self.options.get("from", ""), self.options.get("lines", 12))
            if not part:
                raise self.error(f"no line of the output matches {self.options.get('from', '')!r}:\n{output}")
            shown.append(_block(part, "text", "printed"))
        if "figure" in self.options:
            shown.append(self._figure())
        return shown

    def _folder(self) -> Path:
        """The folder in which the commands of this page run, made for the first of them."""
        folder = self.env.temp_data.get("folder of commands")
        if folder is None:
            page = Path(self.env.doc2path(self.env.docname))
            folder = self.env.temp_data["folder of commands"] = folder_for(page)
        return folder

    def _figure(self) -> nodes.Node:
        drawn = sorted(self._folder().glob(self.options["figure"]))
        if len(drawn) != 1:
            raise self.error(f"{len(drawn)} pictures are {self.options['figure']}; name one that the command draws")
        name = f"{self.env.docname.replace('/', '-')}-{drawn[0].name}"
        kept = Path(self.env.srcdir) / "made" / name
        kept.parent.mkdir(exist_ok=True)
        shutil.copyfile(drawn[0], kept)
        caption = self.options["caption"]
        page = Path(self.env.doc2path(self.env.docname))
        picture = nodes.image(uri=os.path.relpath(kept, page.parent), alt=caption)
        return nodes.figure("", picture, nodes.caption("", caption))


def folder_for(page: Path) -> Path:
    """New folder with the files that the commands of a page read."""
    folder = Path(mkdtemp(prefix="mvarena-docs-"))
    for path in (Path(__file__).parent / "gallery" / "clinic").glob("*.csv"):
        shutil.copyfile(path, folder / path.name)
    if found := _CLASS.search(page.read_text(encoding="utf-8")):
        (folder / "my_method.py").write_text(found[1], encoding="utf-8")
    return folder


def ran(command: str, folder: Path) -> tuple[int, str]:
    """Exit code of a command in a folder, without fetched data, and its output, messages included."""
    unset = ("MVARENA_DATA", "MVARENA_DB", "PYTHONPATH")
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment |= {"MVARENA_CACHE": str(folder / "cache"), "COLUMNS": str(WIDTH), "PATH": path}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command], cwd=folder, env=environment, text=True, check=False,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    return done.returncode, done.stdout


def excerpt(output: str, first: str, count: int) -> str:
    """`count` lines of an output from the one that `first` matches on, dots for further ones; "" where no line does."""
    lines = output.rstrip().splitlines()
    start = next((i for i, line in enumerate(lines) if re.search(first, line)), len(lines))
    kept = lines[start : start + count]
    return "\n".join(line.rstrip() for line in kept + ["..."] * (len(lines) > start + count))


def _block(text: str, language: str, kind: str) -> nodes.Node:
    return nodes.literal_block(text, text, language=language, classes=[kind])


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("command", Command)
    return {"parallel_read_safe": True}
