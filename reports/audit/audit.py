"""What public programs do with labels, seeds and epochs: `python audit.py SOURCES` reads sources and prints it.

SOURCES holds a folder OWNER/REPO for each program. Every .py file is parsed, none is run. `--page` prints README.md
from evidence.toml and `--figure` draws its figure; `--verify SOURCES` looks whether each line of evidence.toml holds in
the sources given.
"""

import argparse
import re
import sys
import tomllib
from pathlib import Path

from detect import audit

from mvarena.report.formats.pages import markdown_rows

HERE = Path(__file__).parent
KINDS = {
    "best": "The epoch or model with the best score by labels is kept",
    "run": "The run with the best score by labels is kept",
    "seed": "Seeds that differ between data sets",
    "epochs": "Epochs or iterations that differ between data sets",
    "loss": "True labels enter the loss",
    "pairs": "True labels say which pairs of samples belong together",
}
NONE = "None of these seen in the files read"
IMAGE = "![Number of programs in which each kind of finding was seen](findings.png)"
KEPT = ("best", "run")  # kinds that choose by the score
HEADS = ("method", "year", "where", "in what", "different values", "note")
LIMITS = """What it cannot tell: values in YAML or JSON files, on command lines or in functions of their own; scores
under other names than acc, nmi, ari, purity and the like; whether labels that are passed to a function are more than
scored there; whether a best score that is kept is also the one that is reported."""
HEAD = """# {kept} of {n} public programs keep the epoch or the run with the best score by labels

{n} public programs for multi-view clustering, {files} of their files, were read for what they do with true labels,
seeds and epochs. A program that keeps the epoch with the best score by labels chooses by information that a clustering
method must not see. A seed or a number of epochs of its own for each data set is a choice without a stated reason."""
HOW = """The rows quote the code at one commit, not what was run for a paper. Only the named files were read, as they
are stored at the commit in the link: a program may do more elsewhere, and no program was run. Years are given if the
name or README of the repository has one.
{looked_up}

Make this page and its figure (numbers: [findings.csv](findings.csv)) from `evidence.toml`, look its lines up in sources
of your own, or search any sources for the same:

    python reports/audit/audit.py --page
    python reports/audit/audit.py --figure
    python reports/audit/audit.py --verify SOURCES
    python reports/audit/audit.py SOURCES

SOURCES holds a folder OWNER/REPO for each program, at the commit of the link."""


def evidence() -> list[dict]:
    """The programs of evidence.toml."""
    return tomllib.loads((HERE / "evidence.toml").read_text(encoding="utf-8"))["program"]


def looked_up(programs: list[dict]) -> str:
    """The sentence on the last `--verify` of all lines, which evidence.toml keeps."""
    last = tomllib.loads((HERE / "evidence.toml").read_text(encoding="utf-8"))["verified"]
    lines = sum(len(finding["lines"]) for program in programs for finding in program.get("finding", []))
    return f"`--verify` found {last['lines']:,} of the {lines:,} lines of this page in them on {last['date']}."


def pattern(finding: dict, index: int) -> str:
    """The regular expression that must hold on a line of a finding."""
    if "values" in finding:
        return rf"{re.escape(finding['name'])}\s*=\s*{finding['values'][index]}\b"
    return finding["pattern"]


def verify(sources: Path) -> bool:
    """Look up each line of the evidence in the sources. True if there are any and all of them hold."""
    held = wrong = absent = 0
    for program in evidence():
        if not (sources / program["repo"]).is_dir():
            absent += 1
            continue
        for finding in program.get("finding", []):
            path = sources / program["repo"] / finding["file"]
            text = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []
            for index, line in enumerate(finding["lines"]):
                if line <= len(text) and re.search(pattern(finding, index), text[line - 1]):
                    held += 1
                else:
                    wrong += 1
                    print(f"{path}:{line}: {pattern(finding, index)} is not there. Is this the commit that was read?")
    print(f"{held} lines hold, {wrong} do not; {absent} programs are not among the sources.")
    return held > 0 and not wrong


def rows(programs: list[dict], kind: str) -> list[tuple[str, ...]]:
    """The rows of the table of one kind of finding."""
    made = []
    for program in programs:
        start = program["method"], str(program.get("year", ""))
        for finding in (f for f in program.get("finding", []) if f["kind"] == kind):
            commit = next(text.split(":")[0] for text in program["read"] if text.endswith(":" + finding["file"]))
            first, last = finding["lines"][0], finding["lines"][-1]
            place = f"#L{first}" + (f"-L{last}" if last > first else "")
            url = f"https://github.com/{program['repo']}/blob/{commit}/{finding['file'].replace(' ', '%20')}{place}"
            values = ", ".join(map(str, sorted(set(finding.get("values", [])))))
            name = f"`{finding['name']}`, data sets: {len(finding['lines'])}" if values else ""
            where = f"[{finding['file'].split('/')[-1]} {place[1:]}]({url})"
            made.append((*start, where, name, values, finding.get("note", "")))
    return made


def counted(programs: list[dict]) -> list[tuple[str, int]]:
    """Each kind of finding in words, and in how many programs it is; last, how many have none."""
    found = [{finding["kind"] for finding in program.get("finding", [])} for program in programs]
    return [
        *((words, sum(kind in kinds for kinds in found)) for kind, words in KINDS.items()),
        (NONE, found.count(set())),
    ]


def write_figure(folder: Path) -> None:
    """Write findings.png, a bar for each row of the first table of the page, and its numbers as findings.csv."""
    import pandas as pd

    from mvarena.papers.row_figures import draw_rows
    from mvarena.report.drawing.canvas import image_bytes, in_palette

    programs = evidence()
    points = pd.DataFrame(counted(programs), columns=["row", "value"]).assign(axis="programs")
    title = f"Findings in the code of {len(programs)} public programs for multi-view clustering"
    (folder / "findings.png").write_bytes(in_palette(image_bytes(draw_rows(points, title, bars=True), "png"), 64))
    points[["row", "value"]].to_csv(folder / "findings.csv", index=False, header=["what", "programs"])


def page() -> str:
    """README.md, made of evidence.toml alone."""
    programs = sorted(evidence(), key=lambda program: program["method"].lower())
    having = {kind: [p for p in programs if any(f["kind"] == kind for f in p.get("finding", []))] for kind in KINDS}
    none = [program for program in programs if not program.get("finding")]
    counts: dict[str, list[int]] = {"Epochs": [], "Iterations": []}
    for finding in (f for p in having["epochs"] for f in p["finding"] if f["kind"] == "epochs"):
        counts["Iterations" if "iteration" in finding["name"] else "Epochs"] += finding["values"]
    files = sum(len(program["read"]) for program in programs)
    kept = {program["method"] for kind in KEPT for program in having[kind]}
    parts = [HEAD.format(kept=len(kept), n=len(programs), files=files)]
    parts += [IMAGE, markdown_rows(("what", "programs"), counted(programs))]
    spans = [f"{what} set for a data set go from {min(v):,} to {max(v):,}." for what, v in counts.items() if v]
    parts.append(" ".join(spans))
    for kind, title in KINDS.items():
        parts += _folded(title, markdown_rows(HEADS, rows(programs, kind)))
    seen = [
        (
            f"[{p['method']}](https://github.com/{p['repo']})",
            p.get("year", ""),
            ", ".join(text.split(":")[1].split("/")[-1] for text in p["read"]),
        )
        for p in none
    ]
    parts += _folded(NONE, markdown_rows(("method", "year", "files read"), seen))
    how = HOW.format(looked_up=looked_up(programs))
    return "\n\n".join([*parts, *_folded("How it was made", how, LIMITS.replace("\n", " "))]) + "\n"


def _folded(title: str, *parts: str) -> list[str]:
    return [f"<details>\n<summary>{title}</summary>", *parts, "</details>"]


def main() -> int:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="?", type=Path, help="a folder that holds OWNER/REPO folders")
    parser.add_argument("--page", action="store_true", help="print README.md from evidence.toml")
    parser.add_argument("--figure", action="store_true", help="write findings.png and findings.csv beside this file")
    parser.add_argument("--verify", action="store_true", help="look up the lines of evidence.toml in the sources")
    args = parser.parse_args()
    if args.page:
        print(page(), end="")
        return 0
    if args.figure:
        write_figure(HERE)
        return 0
    if args.sources is None or not args.sources.is_dir():
        parser.error("name a folder that holds OWNER/REPO folders")
    if args.verify:
        return 0 if verify(args.sources) else 1
    for path in sorted(args.sources.rglob("*.py")):
        try:
            for found in audit(path):
                print(f"{path.relative_to(args.sources)}:{found.line}: {found.kind}: {found.text}")
        except (SyntaxError, ValueError) as error:
            print(f"{path.relative_to(args.sources)}: not read, this Python cannot parse it: {error}")
    print(LIMITS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
