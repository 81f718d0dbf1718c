"""Pages of what reports/ holds, with links from where they stand in the documentation."""

from __future__ import annotations

import re
from pathlib import Path

from generation.components import ROOT
from mvarena.site.build import write_site
from mvarena.store.database import open_database

_RESULTS = {
    "Comparisons": ("arena", "arena-lite", "conditions", "picking", "deep", "audit", "numbers", "speed", "demo"),
    "Reproduced papers": ("apmc", "eeimvc", "emvc", "mic", "rnnmf"),
}


_OTHER_PAGE = re.compile(r"\]\(\.\./\.\./reports/[a-z-]+/\.\./([a-z-]+)/README\.md\)")
_MARKER = re.compile(r"<!-- .*? -->")  # of what a command fills
_LOCAL_LINK = re.compile(r"\]\((?![a-z]+:|#)([^)\s]+)\)")


def write_arena_site(folder: Path) -> None:
    """Write the site of the arena's release into `folder`, where the page of results links to it."""
    with open_database(ROOT / "reports" / "arena" / "results.db", readonly=True) as database:
        write_site(database, folder)


def result_pages() -> dict[str, str]:
    """The pages of reports/, with links from where they stand here, and the page that lists them."""
    pages = {}
    index = [
        "# Results",
        "Each page is generated from the database next to it, and names the command that makes it again.",
    ]
    for heading, names in _RESULTS.items():
        index.append(f"## {heading}")
        for name in names:
            (path,) = (ROOT / "reports" / name).glob("*.md")
            text = _MARKER.sub("", path.read_text(encoding="utf-8")).replace("# Results\n", f"# A report: {name}\n", 1)
            text = _LOCAL_LINK.sub(rf"](../../reports/{name}/\1)", text)
            pages[f"results/{name}.md"] = _OTHER_PAGE.sub(r"](\1.md)", text)
            title = text.split("\n", 1)[0].removeprefix("# ")
            index.append(f"- [{title}]({name}.md)")
            if name == "arena":
                index.append(
                    'The same results to sort, filter and compare: <a href="../arena/index.html">the arena\'s site</a>.'
                )
    index.append(
        "```{toctree}\n:hidden:\n\n" + "\n".join(name for names in _RESULTS.values() for name in names) + "\n```"
    )
    return pages | {"results/index.md": "\n\n".join(index) + "\n"}
