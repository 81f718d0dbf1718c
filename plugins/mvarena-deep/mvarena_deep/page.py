"""The page on deep methods: `python -m mvarena_deep.page FOLDER` makes README.md and scores.csv there.

FOLDER holds study.toml and results.db; both files are made of these alone, so that `--check` can tell whether they are
what the results give. No torch is needed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import click
import pandas as pd
from mvarena.errors import MvarenaError

from mvarena_deep.page_results import CELL, CONTROL, DEEP, METRICS, Found, Wanted, found_in, read_study

STUDY, DATABASE, PAGE, NUMBERS = "study.toml", "results.db", "README.md", "scores.csv"
_CHANCE = ("one-cluster", "random")  # controls that read no classes; the protocol adds them to every study
_NONE = "–"


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 where a file is not what the results give.")
def main(folder: Path, check: bool) -> None:
    """Make README.md and scores.csv of FOLDER from its study.toml and results.db."""
    try:
        files = made(folder)
    except (MvarenaError, OSError) as error:
        raise click.ClickException(str(error)) from error
    old = [path for path, text in files.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in old:
        if not check:
            path.write_text(files[path], encoding="utf-8")
        click.echo(f"{path} {'is not what the results give; run this without --check' if check else 'is written'}.")
    sys.exit(1 if check and old else 0)


def made(folder: Path) -> dict[Path, str]:
    """Each file and what it is to hold."""
    found = found_in(folder / DATABASE, read_study(folder / STUDY))
    where = "/".join(folder.resolve().parts[-2:])  # the same wherever the project lies
    return {folder / PAGE: page(found, where), folder / NUMBERS: numbers(found)}


def numbers(found: Found) -> str:
    """Every number in long form: shares, and CPU seconds."""
    rows = found.values.reset_index()
    seconds = found.cost.rename("mean").reset_index().assign(metric="cpu-seconds")
    return pd.concat([rows, seconds]).sort_values([*CELL, "metric"]).to_csv(index=False, float_format="%.6g")


def page(found: Found, where: str) -> str:
    """The text of the page. where : the folder, as commands name it from the project's."""
    run = f"mvarena run {where}/{STUDY} --db {where}/{DATABASE}"
    parts = [
        "# Deep methods under the same conditions",
        f"All of this page is made by `python -m mvarena_deep.page {where}` from `{DATABASE}` (numbers: [{NUMBERS}]"
        f"({NUMBERS})); the study is `{run}`, and both need `plugins/mvarena-deep`. Every method has its defaults, "
        "data scaled by the arena, the same masks, and no labels; the last epoch counts. Means over "
        f"{found.study.repeats} repeats ± one standard deviation (n - 1). The settings of the default size were "
        "chosen after looking at digits and msrcv1, and the start of simvc and comvc was mended after looking at "
        "leaves100: scores there are no fresh test.",
        f"## What is stored\n\n{_progress(found, run)}",
        *_findings(found),
        "## Scores at the last epoch",
        "ACC / NMI in percent. Bold: the highest mean ACC of a column in which all have finished. ‡ not above the "
        "better control (one cluster for all, or random labels). mflvc and concat get data filled by the arena.",
        *(_scores(found, dataset) for dataset in found.study.datasets if found.n_of(dataset)[0]),
        "## What choosing the epoch by labels would add",
        f"{_peek_sentence(found)} Points of ACC by which the best of ten epochs *by ground truth* is above the "
        "last: what a report that picks the epoch by ACC would show. Nobody without labels can do so.",
        _peek(found),
        "## CPU seconds of a trial",
        "With preparation, five k-means runs and scoring, one thread; means over rates and repeats.",
        _seconds(found),
        "## What the default size loses",
        _sizes(found),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _progress(found: Found, run: str) -> str:
    total = found.study.n_trials
    rows = []
    for dataset in found.study.datasets:
        ended, wanted = found.n_of(dataset)
        rows.append([dataset, str(ended), str(wanted), f"{100 * ended / wanted:.0f} %"])
    share = 100 * found.n_ended / total
    text = f"Of {total} trials of the study, controls apart, {found.n_ended} have ended ({share:.0f} %)."
    if found.n_ended < total:
        text += f" The others have not been run yet: the command above, `{run}`, goes on with them."
    failed = {status: int(count) for status, count in found.ended.sum().items() if status != "DONE" and count}
    if failed:
        text += " Not all finished: " + ", ".join(f"{count} {name}" for name, count in failed.items()) + "."
    return f"{text}\n\n{_table(['data', 'ended', 'of', 'share'], rows)}"


def _findings(found: Found) -> list[str]:
    """A sentence for each data set, on the rates at which everything has finished."""
    lines, ahead = [], []
    shallow = [name for name in found.study.algorithms if name not in DEEP]
    deep = [name for name in found.study.algorithms if name in DEEP and name != CONTROL]
    for dataset in found.study.datasets if deep and shallow else ():
        rates = [rate for rate in found.study.rates(dataset) if _all_there(found, dataset, rate)]
        if not rates:
            continue
        means = {name: _mean_over(found, dataset, rates, name) for name in found.study.algorithms}
        best = max(shallow, key=lambda name: means[name])
        first = max(deep, key=lambda name: means[name])
        others = {CONTROL: f"the control {CONTROL}", "concat": "concat", best: best}
        counts = [
            f"{sum(means[name] > means[other] for name in deep)} {'are ' if other == CONTROL else ''}above {words} "
            f"({means[other]:.1f})"
            for other, words in others.items()
        ]
        if means[first] > means[best]:
            ahead.append(dataset)
        lines.append(
            f"- {dataset}, mean ACC at {'rate' if len(rates) == 1 else 'rates'} "
            f"{', '.join(f'{rate:g}' for rate in rates)}: of {len(deep)} deep methods {', '.join(counts[:-1])} and "
            f"{counts[-1]}, the best of {', '.join(shallow)}; the best deep one is {first} ({means[first]:.1f})."
        )
    where = f" ({', '.join(ahead)})" if ahead else ""
    heading = (
        f"On {len(ahead)} of {len(lines)} data sets{where} the best of {len(deep)} deep methods is above the best of "
        f"{len(shallow)} others, each chosen after the scores were seen. Where all repeats of a rate have finished; no "
        "claim is made on differences within the deviations below."
    )
    return ["## What they show", heading, "\n".join(lines)] if lines else []


def _cells(dataset: str, rate: float, names: Iterable[str]) -> list[Wanted]:
    return [Wanted(dataset, rate, name, "default" if name in DEEP else "") for name in names]


def _all_there(found: Found, dataset: str, rate: float) -> bool:
    return all(found.whole(cell) for cell in _cells(dataset, rate, found.study.algorithms))


def _mean_over(found: Found, dataset: str, rates: Sequence[float], name: str) -> float:
    values = [found.mean(cell, "acc") for rate in rates for cell in _cells(dataset, rate, [name])]
    return 100 * sum(value for value in values if value is not None) / len(values)


def _scores(found: Found, dataset: str) -> str:
    rates = found.study.rates(dataset)
    rows = [[_named(name)] for name in (*found.study.algorithms, *_CHANCE)]
    for rate in rates:
        cells = _cells(dataset, rate, (*found.study.algorithms, *_CHANCE))
        means = [found.mean(cell, "acc") for cell in cells if cell.algorithm not in _CHANCE]
        whole = _all_there(found, dataset, rate)
        best = max((mean for mean in means if mean is not None), default=None) if whole else None
        for row, cell in zip(rows, cells, strict=True):
            mean = found.mean(cell, "acc")
            text = _score(found, cell)
            row.append(f"**{text}**" if mean is not None and mean == best and cell.algorithm not in _CHANCE else text)
    return f"### {dataset}\n\n{_table(['method', *(f'rate {rate:g}' for rate in rates)], rows)}"


def _named(name: str) -> str:
    return {CONTROL: f"{CONTROL} (control)"}.get(name, f"{name} (control)" if name in _CHANCE else name)


def _score(found: Found, cell: Wanted) -> str:
    acc, nmi = (found.value(cell, metric) for metric in METRICS[:2])
    if acc is None or nmi is None:
        return _NONE
    text = f"{_percent(acc)} / {_percent(nmi)}"
    if cell.algorithm not in _CHANCE and not found.above.get(cell.key, True):
        text += " ‡"
    return text if acc["n_runs"] >= found.study.repeats else f"{text} ({acc['n_runs']:.0f} of {found.study.repeats})"


def _percent(row: pd.Series) -> str:
    spread = "" if pd.isna(row["std"]) else f" ± {100 * row['std']:.1f}"
    return f"{100 * row['mean']:.1f}{spread}"


def _gap(found: Found, cell: Wanted) -> float | None:
    last, best = found.mean(cell, "acc"), found.mean(cell, "acc-best-epoch")
    return None if last is None or best is None else 100 * (best - last)


def _default_cells(found: Found) -> list[Wanted]:
    return [cell for cell in found.study.cells if cell.size == "default"]


def _peek_sentence(found: Found) -> str:
    gaps = {cell: gap for cell in _default_cells(found) if (gap := _gap(found, cell)) is not None}
    if not gaps:
        return "Nothing of it is stored yet."
    most = max(gaps, key=lambda cell: gaps[cell])
    return (
        f"Over {len(gaps)} pairs of a deep method and a condition it adds {sum(gaps.values()) / len(gaps):.1f} points "
        f"in the mean, and {gaps[most]:.1f} at most ({most.algorithm} on {most.dataset} at rate {most.rate:g})."
    )


def _peek(found: Found) -> str:
    names = [name for name in found.study.algorithms if name in DEEP]
    rows = []
    for dataset in found.study.datasets:
        for rate in found.study.rates(dataset):
            gaps = [_gap(found, cell) for cell in _cells(dataset, rate, names)]
            if any(gap is not None for gap in gaps):
                rows.append([dataset, f"{rate:g}", *(_NONE if gap is None else f"{gap:.1f}" for gap in gaps)])
    return _table(["data", "rate", *names], rows) if rows else ""


def _seconds(found: Found) -> str:
    datasets = [dataset for dataset in found.study.datasets if found.n_of(dataset)[0]]
    rows = []
    for name in found.study.algorithms:
        row = [name]
        for dataset in datasets:
            cells = [cell for rate in found.study.rates(dataset) for cell in _cells(dataset, rate, [name])]
            costs = [found.cost[cell.key] for cell in cells if cell.key in found.cost.index]
            row.append(_short(sum(costs) / len(costs)) if costs else _NONE)
        rows.append(row)
    return _table(["method", *datasets], rows)


def _short(seconds: float) -> str:
    return f"{seconds:.1f}" if seconds >= 1 else f"{seconds:.2f}"


def _sizes(found: Found) -> str:
    rows = []
    for cell in found.study.cells:
        if cell.size != "paper":
            continue
        own = Wanted(cell.dataset, cell.rate, cell.algorithm, "default")
        small, large = found.mean(own, "acc"), found.mean(cell, "acc")
        if small is None or large is None:
            continue
        costs = [_short(found.cost[key]) for key in (own.key, cell.key)]
        condition = [cell.dataset, f"{cell.rate:g}", cell.algorithm]
        rows.append([*condition, _score(found, own), _score(found, cell), f"{100 * (large - small):+.1f}", *costs])
    if not rows:
        return "Nothing has been run with `size=paper` yet."
    heads = ["data", "rate", "method", "default", "paper", "paper - default, ACC", "CPU s, default", "CPU s, paper"]
    return f"`size=paper` has the published layers, epochs, batches and rates. ACC / NMI.\n\n{_table(heads, rows)}"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


if __name__ == "__main__":
    main()
