"""Pages of what reports/ holds, with links from where they stand in the documentation."""

from __future__ import annotations

import re

from generation.components import ROOT

_RESULTS = {
    "Comparisons": ("arena", "conditions", "picking", "deep", "audit", "numbers", "speed", "demo"),
    "Reproduced papers": ("apmc", "eeimvc", "emvc", "mic", "rnnmf"),
    "Safety": ("torture",),
}


_LOCAL_LINK = re.compile(r"\]\((?![a-z]+:|#)([^)\s]+)\)")


def result_pages() -> dict[str, str]:
    """The pages of reports/, with links from where they stand here, and the page that lists them."""
    pages = {}
    index = [
        "# Results",
        "What is known so far. Each page is made of what lies beside it in the repository, a database of results or a "
        "list of what was read, and names the command that makes it again.",
    ]
    for heading, names in _RESULTS.items():
        index.append(f"## {heading}")
        for name in names:
            (path,) = (ROOT / "reports" / name).glob("*.md")
            text = path.read_text(encoding="utf-8").replace("# Results\n", f"# A report: {name}\n", 1)
            pages[f"results/{name}.md"] = _LOCAL_LINK.sub(rf"](../../reports/{name}/\1)", text)
            title = text.split("\n", 1)[0].removeprefix("# ")
            index.append(f"- [{title}]({name}.md)")
    index.append(
        "```{toctree}\n:hidden:\n\n" + "\n".join(name for names in _RESULTS.values() for name in names) + "\n```"
    )
    return pages | {"results/index.md": "\n\n".join(index) + "\n"}
