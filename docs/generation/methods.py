"""Pages of the methods, and the one that lists them by family."""

from __future__ import annotations

import csv
import json
import re

from generation.cards import method_card, objective_of
from generation.components import ROOT, own
from generation.contestants import contestants_table
from generation.markdown import code, named, parameter_meanings, prose, sentence, table
from mvarena.arena.release import read_release
from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.registry.catalog import Catalog
from mvarena.registry.citations import link_of
from mvarena.study.families import FREE_OF_SQUARES

# of every method, and so in no docstring
_COMMON = {
    "n_clusters": "the number of clusters; by default what the data say",
    "n_init": "how often k-means starts in `fit`; a study sets it by its protocol",
    "random_state": "seed of every random choice; a study sets it",
    "max_iter": "the most iterations",
    "tol": "the relative change of the objective below which iterations end",
}


def method_pages(catalog: Catalog) -> dict[str, str]:
    """Page of each method, and the one that lists them by family."""
    ranks, costs = ranks_of(), measured_costs()
    specs = own(catalog, "algorithm")
    pages = {
        f"methods/{spec.name}.md": method_page(spec, ranks.get(spec.name, ""), costs.get(spec.name, ""), catalog)
        for spec in specs
    }
    families: dict[str, list[AlgorithmSpec]] = {}
    for spec in specs:
        families.setdefault(family_of(spec), []).append(spec)
    parts = [
        "# Methods",
        "A page for each method that comes with mvarena: what it takes, its objective, parameters, cost, what its "
        "numbers were checked against, and where it departs from its paper. *Verified*: the solver reproduces "
        "published reference numbers from the same start. *From the paper*: no public reference; its objective and "
        "constraints are tested. *From secondary sources*: the original text was not at hand.",
        "In a terminal, `mvarena list algorithms` prints the list and `mvarena show apmc` one method.",
    ]
    parts += [
        f'`{FREE_OF_SQUARES}`: memory grows linearly with the samples. `--algo "anchor:*"` takes a whole family.',
        contestants_table(catalog),
    ]
    for family, members in sorted(families.items()):
        rows = [
            (f"[{spec.name}]({spec.name}.md)", spec.summary, "yes" if spec.capabilities.missing else "no",
             ", ".join(sorted(spec.capabilities.kinds)), spec.status)
            for spec in members
        ]  # fmt: skip
        parts += [f"## {family}", table(("method", "idea", "missing samples", "views", "checked"), rows)]
    parts.append("```{toctree}\n:hidden:\n\n" + "\n".join(spec.name for spec in specs) + "\n```")
    return pages | {"methods/index.md": "\n\n".join(parts) + "\n"}


def family_of(spec: AlgorithmSpec) -> str:
    """The package that a method's module lies in, such as graph."""
    return spec.target.partition(":")[0].split(".")[-2]


def method_page(spec: AlgorithmSpec, rank: str, measured: str, catalog: Catalog) -> str:
    card = method_card(spec.name, catalog)
    facts = [
        ("Source", card["source"]),
        ("Paper", paper_of(card["citation"])),
        ("Takes", card["takes"]),
        ("Cost", card["cost"]),
        ("Measured", measured),
        ("Threads", card["threads"]),
        ("Checked", card["status"] if card["citation"] else ""),
        ("Preparation in the paper", card["prepare"]),
        ("Its paper searches", "" if spec.grid is None else spec.grid.words),
        ("Units", spec.units or "a view multiplied by a number changes nothing"),
        ("Below a baseline", spec.caveats),
        ("In the arena", rank),
    ]
    described = parameter_meanings(card["description"])
    parameters = [
        (
            named(one["name"]),
            one["default"] or "–",
            values_of(one["may_be"]),
            described.get(one["name"], _COMMON.get(one["name"], "")),
        )
        for one in card["parameters"]
    ]
    first, rest, example = parts_of(card["description"])
    objective = objective_of(catalog.load(spec))
    details = prose(rest, formulas=True)
    return "\n\n".join([
        f"# {spec.name}",
        f"**Idea.** {_idea(spec.summary, first)}",
        table(("", ""), [(name, value) for name, value in facts if value]),
        f"    mvarena run --algo {spec.name} --data {example_data(spec.capabilities)}",
        *(("## Objective", prose(objective, formulas=True)) if objective else ()),
        *(("## Steps, and departures from the paper", details) if details else ()),
        "## Example",
        prose(example).partition("\n\n")[2],
        "## Parameters",
        "Set as `--param " + spec.name + ".NAME=VALUE`, or as keywords of the class "
        f"`mvarena.algorithms.{spec.target.partition(':')[2]}`.",
        table(("parameter", "default", "values", "meaning"), parameters),
        "## Cite",
        code(card["citation"], "bibtex") if card["citation"] else "Defined by mvarena: `mvarena cite mvarena`.",
    ]) + "\n"  # fmt: skip


def values_of(words: str) -> str:
    """Allowed values in short: 'int >= 1, or None' for 'a whole number of at least 1 or none'."""
    short = re.sub(r"\ba whole number\b", "int", words)
    short = re.sub(r"\ba number\b", "float", short)
    for long, sign in ((" of at least ", " >= "), (" above ", " > "), (" of at most ", " <= "), (" below ", " < ")):
        short = short.replace(long, sign)
    return re.sub(r",? or none$", ", or None", short)


def _idea(summary: str, first: str) -> str:
    """The summary or the first paragraph of the docstring, whichever says more."""
    return max(sentence(summary), prose(first), key=len)


def parts_of(docstring: str) -> tuple[str, str, str]:
    """The first paragraph of a method's docstring, its sections and paragraphs after that, and its example."""
    first, _, rest = docstring.partition("\n\n")
    before, heading, after = rest.partition("Examples\n--------\n")
    example, _, facts = after.partition("\n\n")
    return first, f"{before}{facts}", f"{heading}{example}"


def example_data(takes: Capabilities) -> str:
    """Data set that comes with mvarena and that a method of these capabilities takes, once it is prepared."""
    return '"digits[fou,fac]"' if takes.min_views > 1 or takes.max_views is not None else "digits"


def paper_of(bibtex: str) -> str:
    link = link_of(bibtex)
    return f"[{link.removeprefix('https://doi.org/')}]({link})" if link else ""


def ranks_of() -> dict[str, str]:
    """Method -> its place on the board of the release in reports/arena, in words."""
    folder = ROOT / "reports" / "arena"
    if not (folder / "board.csv").exists():
        return {}
    release = read_release(folder)
    with (folder / "board.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        row["contestant"]: f"place {row['place']} of {len(rows)} in [{release.name}](../results/arena.md): rating "
        f"{float(row['rating']):.0f} ({float(row['low']):.0f} to {float(row['high']):.0f}), mean rank "
        f"{float(row['mean_rank']):.1f} by NMI"
        for row in rows
    }


def measured_costs() -> dict[str, str]:
    """Method -> its seconds and memory in reports/speed, in words."""
    path = ROOT / "reports" / "speed" / "measurements.json"
    points: dict[str, dict[int, tuple[float, float]]] = {}
    for one in json.loads(path.read_text(encoding="utf-8"))["measurements"] if path.exists() else ():
        if one["case"] == "contestant" and one["rounds"]:
            steps = min((each["steps"] for each in one["rounds"]), key=lambda steps: steps["represent"]["wall"])
            seconds = sum(step["wall"] for step in steps.values())
            points.setdefault(one["point"]["method"], {})[one["point"]["n"]] = seconds, steps["represent"]["MiB"]
    return {
        name: ", ".join(f"{seconds:.2g} s at {n:,}" for n, (seconds, _) in sorted(sizes.items()))
        + f" samples of digits; {sizes[max(sizes)][1]:,.0f} MiB beyond the data at {max(sizes):,} "
        "([how](../results/speed.md))"
        for name, sizes in points.items()
    }
