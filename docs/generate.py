"""Pages that are made of the components: a page for each method and data set, tables of the rest, and the reference.

Each says what the component's own announcement says, so that no page can differ from the code. The ranks are those of
the stored results behind reports/conditions.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from textwrap import dedent
from typing import Any

import click
import numpy as np

from mvarena.cli.main import cli
from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.metric import Contingency
from mvarena.contracts.parameters import parameters_of
from mvarena.contracts.specs import AlgorithmSpec, CorruptionSpec, MetricSpec, Spec
from mvarena.registry import hookspecs
from mvarena.registry.catalog import Catalog, installed_catalog
from mvarena.report.data import ReportData
from mvarena.report.tables.inventory import FREE_OF_SQUARES, contestants_table
from mvarena.results import Results
from mvarena.site.methods import dataset_card, method_card, objective_of
from mvarena.store.results_view import COLUMNS, DECODING
from mvarena.study.file import shipped_studies
from mvarena.study.keys import STUDY_KEYS
from mvarena.study.protocols import PROTOCOLS

ROOT = Path(__file__).parents[1]
DATA_PICTURES = ROOT / "docs" / "gallery" / "data"
OWN = "mvarena"  # the distribution whose components have pages here


def write_pages(docs: Path) -> None:
    """Write all of them; a page that is as it was is not touched, so that the next build is short."""
    catalog = installed_catalog()
    pages = {
        **method_pages(catalog),
        **dataset_pages(catalog),
        **result_pages(),
        "reference/command-line.md": command_line_page(),
        "reference/corruptions.md": corruptions_page(catalog),
        "reference/transforms.md": components_page(catalog, "transform", "Transforms", _TRANSFORMS),
        "reference/metrics.md": metrics_page(catalog),
        "reference/pickers.md": components_page(catalog, "picker", "Pickers", _PICKERS),
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


def own(catalog: Catalog, kind: str) -> list[Any]:
    """Specs of that kind which come with mvarena, by name."""
    return sorted(
        (spec for spec in catalog.specs(kind) if catalog.plugin_of(spec).distribution == OWN),
        key=lambda spec: spec.name,
    )


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; bars within cells are escaped."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(_cell(value) for value in row) + " |" for row in rows]
    return "\n".join(lines)


def _cell(value: object) -> str:
    return re.sub(r"\s+", " ", str(value)).replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;") or "–"


def code(text: str, language: str = "text") -> str:
    """A block of code; its fence is longer than any in the text."""
    fence = "`" * max(3, 1 + max(map(len, re.findall(r"`+", text)), default=0))
    return f"{fence}{language}\n{dedent(text).strip()}\n{fence}"


def named(name: str) -> str:
    return f"`{name}`"


_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
_PARAMETER = re.compile(r"(?:^|(?<=\. ))(\w+(?:, \w+)*) :(?= |$)", re.MULTILINE)
_FACTS = ("Cost: ", "Source: ", "Status: ")  # lines at the end of a method's docstring, which the table above holds


def prose(docstring: str) -> str:
    """A docstring as Markdown: paragraphs are paragraphs, indented lines and tables code; parameters are left out."""
    parts = []
    for block in re.split(r"\n\s*?\n", docstring.rstrip().lstrip("\n")):
        heading = _SECTION.match(block)
        if heading and heading[1] == "Parameters":
            continue
        if heading and heading[1] == "Examples":
            parts += ["**Example**", code(block[heading.end() :], "pycon")]
            continue
        if heading:
            parts.append(f"**{heading[1]}**")
            block = block[heading.end() :]
        lines = block.splitlines()
        if any(line.startswith((" ", "=")) for line in lines):
            parts.append(code("\n".join(lines)))
        elif kept := [line for line in lines if not line.startswith(_FACTS)]:
            parts.append(_markdown(" ".join(kept)))
    return "\n\n".join(parts)


def _markdown(text: str) -> str:
    """Text with the characters that Markdown would take for markup escaped, but for what stands between backticks."""
    pieces = re.split(r"(`[^`]+`)", text)
    return "".join(one if one.startswith("`") else re.sub(r"([*_<\[\]|#])", r"\\\1", one) for one in pieces)


def parameter_meanings(docstring: str) -> dict[str, str]:
    """Parameter -> what the docstring's section says of it."""
    section = next((block for block in re.split(r"\n\s*\n", docstring) if block.startswith("Parameters\n")), "")
    found = list(_PARAMETER.finditer(section))
    ends = [*(one.start() for one in found[1:]), len(section)] if found else []
    return {
        name: section[one.end() : end].strip()
        for one, end in zip(found, ends, strict=True)
        for name in one[1].split(", ")
    }


# of every method, and so in no docstring
_COMMON = {
    "n_clusters": "the number of clusters; by default what the data say",
    "n_init": "how often k-means starts in `fit`; a study sets it by its protocol",
    "random_state": "seed of every random choice; a study sets it",
    "max_iter": "the most iterations",
    "tol": "the relative change of the objective below which iterations end",
}


# Methods


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
        "    mvarena list algorithms                # the same in a terminal\n"
        "    mvarena show apmc                      # one method",
    ]
    parts += [
        f'`{FREE_OF_SQUARES}`: never an n x n matrix. `--algo "anchor:*"` takes a whole family.',
        contestants_table(catalog),
    ]
    for family, members in sorted(families.items()):
        rows = [
            (f"[{spec.name}]({spec.name}.md)", spec.summary, "yes" if spec.capabilities.missing else "no",
             ", ".join(sorted(spec.capabilities.kinds)), spec.status)
            for spec in members
        ]  # fmt: skip
        parts += [f"## {family}", table(("method", "idea", "takes missing samples", "views", "checked"), rows)]
    parts.append("```{toctree}\n:hidden:\n\n" + "\n".join(spec.name for spec in specs) + "\n```")
    return pages | {"methods/index.md": "\n\n".join(parts) + "\n"}


def family_of(spec: AlgorithmSpec) -> str:
    """The package that a method's module lies in, such as graph."""
    return spec.target.partition(":")[0].split(".")[-2]


def method_page(spec: AlgorithmSpec, rank: str, measured: str, catalog: Catalog) -> str:
    card = method_card(spec.name, catalog)
    facts = [
        ("Source", card["source"]),
        ("DOI", doi_of(card["citation"])),
        ("Takes", card["takes"]),
        ("Cost", card["cost"]),
        ("Measured", measured),
        ("Threads", card["threads"]),
        ("Checked", card["status"] if card["citation"] else ""),
        ("Its paper prepares by", card["prepare"]),
        ("In the arena", rank),
    ]
    described = parameter_meanings(card["description"])
    parameters = [
        (
            named(one["name"]),
            one["default"] or "–",
            one["may_be"],
            described.get(one["name"], _COMMON.get(one["name"], "")),
        )
        for one in card["parameters"]
    ]
    first, rest, example = parts_of(card["description"])
    objective = objective_of(catalog.load(spec))
    details = prose(rest)
    return "\n\n".join([
        f"# {spec.name}",
        f"**Idea.** {_idea(spec.summary, first)}",
        table(("", ""), [(name, value) for name, value in facts if value]),
        f"    mvarena run --algo {spec.name} --data {example_data(spec.capabilities)}",
        *(("## Objective", prose(objective)) if objective else ()),
        *(("## Steps, and departures from the paper", details) if details else ()),
        "## Example",
        prose(example).partition("\n\n")[2],
        "## Parameters",
        "Set as `--param " + spec.name + ".NAME=VALUE`, or as keywords of the class "
        f"`mvarena.algorithms.{spec.target.partition(':')[2]}`.",
        table(("parameter", "default", "may be", "meaning"), parameters),
        "## Cite",
        code(card["citation"], "bibtex") if card["citation"] else "Defined by mvarena: `mvarena cite mvarena`.",
    ]) + "\n"  # fmt: skip


def _idea(summary: str, first: str) -> str:
    """The summary, and the first paragraph of the docstring unless that begins with the same words."""
    said, more = _sentence(summary), prose(first)
    return more if more.lower().startswith(summary.lower()) else f"{said} {more}"


def parts_of(docstring: str) -> tuple[str, str, str]:
    """The first paragraph of a method's docstring, its sections and paragraphs after that, and its example."""
    first, _, rest = docstring.partition("\n\n")
    before, heading, after = rest.partition("Examples\n--------\n")
    example, _, facts = after.partition("\n\n")
    return first, f"{before}{facts}", f"{heading}{example}"


def example_data(takes: Capabilities) -> str:
    """Data set that comes with mvarena and that a method of these capabilities takes, once it is prepared."""
    return '"digits[fou,fac]"' if takes.min_views > 1 or takes.max_views is not None else "digits"


def doi_of(bibtex: str) -> str:
    found = re.search(r"^\s*doi = \{([^}]+)\}", bibtex, re.MULTILINE)
    return f"[{found[1]}](https://doi.org/{found[1]})" if found else ""


def ranks_of() -> dict[str, str]:
    """Method -> its mean rank by ACC over the corpora of reports/conditions, in words."""
    path = ROOT / "reports" / "conditions" / "results.db"
    if not path.exists():
        return {}
    standings = ReportData.of_scores(Results(path).scores, metrics=("acc",)).standings["acc"]
    k = len(standings.contestants)
    return {
        name: f"mean rank {standings.mean_ranks[name]:.1f} by ACC, place {place} of {k}, over "
        f"{standings.n_corpora} corpora ({standings.n_datasets} data sets): "
        "`mvarena report --db reports/conditions/results.db --table ratings`"
        for place, name in enumerate(standings.contestants, start=1)
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


# Data sets


def dataset_pages(catalog: Catalog) -> dict[str, str]:
    """Page of each data set, and the one that lists them."""
    specs = own(catalog, "dataset")
    cards = {spec.name: dataset_card(spec.name, catalog) for spec in specs}
    rows = [
        (f"[{name}]({name}.md)", card["samples"] or "–", card["clusters"] or "–", len(card["views"]) or "–",
         _percent(card["one_cluster"]), "drawn at random" if card["generated"] else card["terms"] or "not stated")
        for name, card in cards.items()
    ]  # fmt: skip
    pages = {f"data/{name}.md": dataset_page(name, card) for name, card in cards.items()}
    index = [
        "# Data sets",
        "Each has a card that says where it comes from, on what terms, and what to know about it. *One cluster* is "
        "the ACC of putting all samples in one cluster: a method below it has found nothing. Files are fetched from "
        "their publishers, or put in place by hand where these ask for that.",
        "    mvarena data list                      # which are at hand\n"
        "    mvarena data fetch 3sources            # download and check\n"
        "    mvarena show digits                    # one card",
        table(("data set", "samples", "classes", "views", "one cluster (%)", "terms"), rows),
        "```{toctree}\n:hidden:\n\n" + "\n".join(cards) + "\n```",
    ]
    return pages | {"data/index.md": "\n\n".join(index) + "\n"}


def dataset_page(name: str, card: dict[str, Any]) -> str:
    facts = [
        ("Samples", card["samples"]),
        ("Classes", card["clusters"]),
        ("ACC of one cluster (%)", _percent(card["one_cluster"])),
        ("Source", re.sub(r"(https?://\S+)", r"[\1](\1)", card["source"] or "")),
        ("Terms", "none: it is drawn at random" if card["generated"] else card["terms"] or "not stated"),
    ]
    parts = [
        f"# {name}",
        _sentence(card["summary"]),
        table(("", ""), [(key, value) for key, value in facts if value]),
        f"    mvarena run --algo {'apmc ' if len(card['views']) > 1 else ''}concat --data {name}",
    ]
    if (DATA_PICTURES / f"{name}.png").exists():
        parts.append(
            f"![{name}: a dot per sample and a panel per view](../gallery/data/{name}.png)\n\n"
            "*First two principal components of at most six views, scaled by `auto`: a dot is a sample (at most "
            f"1000 of them), its colour the class. `python docs/gallery/draw_data.py {name}` draws it.*"
        )
    if card["views"]:
        views = [(named(view["name"]), view["dimension"] or "–", view["meaning"] or "–") for view in card["views"]]
        parts += ["## Views", table(("view", "features", "meaning"), views)]
        parts += [f'`--data "{name}[{card["views"][0]["name"]}]"` takes this view alone.']
    if card["class_counts"]:
        counts = ", ".join(map(str, sorted(card["class_counts"], reverse=True)))
        parts += ["## Sizes of the classes", counts + "."]
    if card["traps"]:
        parts += ["## To know", "\n".join(f"- {trap}" for trap in card["traps"])]
    if card["citation"]:
        parts += ["## Cite", code(card["citation"], "bibtex")]
    return "\n\n".join(parts) + "\n"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


# Results: the pages beside the stored results

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


# Corruptions, transforms, metrics, pickers, protocols

_TRANSFORMS = (
    "Steps of preparation. `--scale` takes those that scale features, `--prepare` any of them, in order, with commas "
    "between. What a method cannot do without (a filling, kernels, values above 0) is added by the plan."
)
_PICKERS = (
    "Ways to choose among the results of a grid of parameters, or among methods, without labels. "
    "`mvarena pick --across` says what each loses."
)


def corruptions_page(catalog: Catalog) -> str:
    parts = [
        "# Corruptions",
        "What is done to complete data, at a rate. The mask of a repeat depends on the data, the corruption, the "
        "rate and the seed, never on the method. Pictures show 36 samples of three classes: for missing samples a "
        "column per sample, coloured by class, and a row per view, white where it misses the sample; else the values "
        "of two views, a row per sample. `python docs/gallery/draw_components.py` draws them.",
        '    mvarena run --algo apmc concat --data "digits[fou,fac]" --corrupt missing-even --rates 0.1 0.5\n'
        "    mvarena show missing-even",
    ]
    for spec in own(catalog, "corruption"):
        parts += [f"## {spec.name}", _sentence(spec.summary)]
        facts = [("A rate means", spec.rate_means), ("Formula", spec.formula), ("Largest rate", spec.rate_range)]
        facts += [("Source", spec.source)]
        parts.append(table(("", ""), [(key, value) for key, value in facts if value]))
        target = catalog.load(spec)
        parts += list(_parameter_table(target))
        parts += [picture(spec), prose(inspect.getdoc(target) or "")]
    return "\n\n".join(parts) + "\n"


def picture(spec: CorruptionSpec | MetricSpec) -> str:
    """The picture that draw_components.py draws of it."""
    what = "samples before and after" if spec.component == "corruption" else "its values on examples"
    return f"![{spec.name}: {what}](../gallery/components/{spec.component}-{spec.name}.png)"


_EXAMPLE = np.array([[4, 1, 0], [0, 4, 0], [0, 1, 2]])  # samples by class and cluster


def example_table() -> str:
    rows = [f"class {c + 1}   " + "".join(f"{count:>11}" for count in row) for c, row in enumerate(_EXAMPLE)]
    return "\n".join(["samples   " + "".join(f"  cluster {k + 1}" for k in range(len(_EXAMPLE.T))), *rows])


def metrics_page(catalog: Catalog) -> str:
    words = {
        "truth": "the classes and one labelling",
        "points": "the prepared views or the embedding, and one labelling",
        "restarts": "the labellings of all restarts",
        "checkpoints": "the classes, and labellings after some of the iterations",
        "outcomes": "the outcomes of the samples, such as survival, and one labelling",
    }
    parts = [
        "# Metrics",
        "External metrics compare with classes; internal ones need none; those by outcomes look at survival and other "
        "columns (the how-to on outcomes of samples). Labels are kept, so that a metric can be "
        "added to stored results without a run.",
        "    mvarena score --metric silhouette-views\n    mvarena report --metric ari acc",
        "In formulas, of n samples `n_ck` are in class c and cluster k; H are entropies, I is the mutual information; "
        "of N pairs of samples `s_C` share a class, `s_K` a cluster and t both. a is the mean distance to the own "
        "cluster and b that to the nearest other one, s the mean distance to a centre c, B and W the squared distances "
        "of the K centres and within clusters. A picture shows the score as a labelling gets worse, or as clusters "
        "move apart (`python docs/gallery/draw_components.py`). *On the example* is the score of these twelve samples:",
        code(example_table()),
    ]
    example = Contingency(_EXAMPLE)
    for spec in own(catalog, "metric"):
        better = "higher" if spec.higher_is_better else "lower"
        low, high = (f"{edge:g}" for edge in (spec.lowest, spec.highest))
        facts = [("Formula", named(spec.formula)), ("Needs", words.get(spec.needs, spec.needs))]
        facts += [("Better", better), ("Range", f"{low} to {high}")]
        if spec.needs == "truth":
            facts.append(("On the example", f"{catalog.load(spec)(example):.3f}"))
        facts += [("Source", spec.source)] if spec.source else []
        parts += [f"## {spec.name}", _sentence(spec.summary), table(("", ""), facts), picture(spec)]
        parts.append(prose(inspect.getdoc(catalog.load(spec)) or ""))
    return "\n\n".join(parts) + "\n"


def components_page(catalog: Catalog, kind: str, title: str, introduction: str) -> str:
    parts = [f"# {title}", introduction]
    for spec in own(catalog, kind):
        target = catalog.load(spec)
        parts += [f"## {spec.name}", _sentence(spec.summary), *_source(spec), *_parameter_table(target)]
        if text := inspect.getdoc(target):
            parts.append(prose(text))
    return "\n\n".join(parts) + "\n"


def _source(spec: Spec) -> Iterator[str]:
    if spec.source:
        yield f"Source: {_cell(spec.source)}."


def _parameter_table(target: Any) -> Iterator[str]:
    rows = [(named(name), _default(one.default), one.words) for name, one in parameters_of(target).items()]
    if rows:
        yield table(("parameter", "default", "may be"), rows)


def _default(value: object) -> str:
    if value is inspect.Parameter.empty:
        return "–"
    return "none" if value is None else json.dumps(value) if isinstance(value, (bool, int, float)) else str(value)


def protocols_page() -> str:
    rows = []
    for name, protocol in PROTOCOLS.items():
        said = protocol.as_dict()
        rows.append((named(name), said["summary"], said["restarts"], said["pick"], said["repeats"], said["prepare"]))
    parts = [
        "# Protocols and studies",
        "A protocol says how a representation becomes a score: how often k-means starts, which start counts, how "
        "often all is repeated, and what is prepared how. `fair` is the default; the others are those of papers.",
        table(("protocol", "in words", "k-means starts", "counts", "repeats", "preparation"), rows),
        "Studies that come with mvarena, to run by name (`mvarena run quick`) or to copy:",
        table(("study", "file"), [(named(name), f"`mvarena show {name} --kind study`") for name in shipped_studies()]),
    ]
    return "\n\n".join(parts) + "\n"


# Reference of commands, files, hooks and the database


def command_line_page() -> str:
    parts = [
        "# Command line",
        "The help of every command, as `--help` prints it.",
        code(_help(cli, "mvarena")),
    ]
    for words, command in commands(cli, ("mvarena",)):
        parts += [f"{'#' * len(words)} {' '.join(words)}", code(_help(command, " ".join(words)))]
    return "\n\n".join(parts) + "\n"


def commands(group: click.Group, above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Words -> each command below a group, groups before what is in them; those of plugins left out."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or not getattr(command.callback, "__module__", "").startswith(f"{OWN}."):
            continue
        yield (*above, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*above, name))


def _help(command: click.Command, name: str) -> str:
    return command.get_help(click.Context(command, info_name=name, terminal_width=88, max_content_width=88))


def study_file_page() -> str:
    rows = [
        (named(key.name), key.kind, "–" if key.default is None else json.dumps(key.default),
         "each run" if key.per_run else "the whole file", key.meaning)
        for key in STUDY_KEYS
    ]  # fmt: skip
    example = "\n".join([
        'algo = ["apmc", "concat"]',
        "repeats = 3",
        "",
        "[[run]]",
        'data = ["digits[fou,fac]"]',
        "rates = [0.1, 0.5]",
        "",
        "[[run]]",
        'data = ["bbcsport"]',
        'scale = ["auto", "unit-rows"]',
    ])  # fmt: skip
    parts = [
        "# Study files",
        "A study is a TOML file. Its keys are the options of `mvarena run` without their hyphens; `[[run]]` blocks "
        "share what stands above them, and an option that is typed goes before the file.",
        code(example, "toml"),
        "    mvarena run --algo apmc concat --data digits --save study.toml --dry-run\n    mvarena plan study.toml\n"
        "    mvarena plan --schema                  # the JSON schema, for editors",
        table(("key", "value", "default", "of", "meaning"), rows),
    ]
    return "\n\n".join(parts) + "\n"


def hooks_page() -> str:
    parts = [
        "# Hooks",
        "A plugin is a distribution with an entry point in the group `mvarena`; the module that it names has some "
        "of these functions, each marked with `@mvarena.hookimpl`. Hooks that return specs are called once, when "
        "mvarena starts; what the specs name is imported when it is used.",
    ]
    for name, function in hooks():
        signature = re.sub(r"'|mvarena\.\w+(\.\w+)*\.", "", str(inspect.signature(function)))
        parts += [f"## {name}", code(f"{name}{signature}", "python"), inspect.getdoc(function) or ""]
    return "\n\n".join(parts) + "\n"


def hooks() -> list[tuple[str, Any]]:
    """Names and declarations of the hooks, in the order of their file."""
    return [(name, one) for name, one in vars(hookspecs).items() if name.startswith("mvarena_") and callable(one)]


def database_page() -> str:
    parts = [
        "# Database",
        "Results are stored in SQLite, or in PostgreSQL where `--db` is a URL. The view `results` has one row per "
        "trial, restart and metric, for programs that know SQL. It stays as it is within a minor release; the "
        "tables below it may change, and an older database is upgraded when a run writes into it.",
        "    sqlite3 results.db \"SELECT algorithm, avg(value) FROM results WHERE metric = 'acc' GROUP BY 1\"",
        table(("column", "meaning"), [(named(name), meaning) for name, (meaning, _) in COLUMNS.items()]),
        "Labels are packed. To read them:",
        code(DECODING, "python"),
    ]
    return "\n\n".join(parts) + "\n"


def _sentence(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
