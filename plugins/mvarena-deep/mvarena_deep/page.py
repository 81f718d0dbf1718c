"""The page on deep methods: `python -m mvarena_deep.page FOLDER` makes README.md, scores.csv and a figure there.

FOLDER holds study.toml, results.db and, where papers print numbers of its conditions, published.toml; all files are
made of these alone, so that `--check` can tell whether they are what the results give; of the figure, its numbers. No
torch is needed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import click
import pandas as pd
from mvarena.errors import MvarenaError
from mvarena.report.formats.pages import markdown_rows

from mvarena_deep.page_results import CELL, CONTROL, DEEP, METRICS, Found, Wanted, found_in, read_study
from mvarena_deep.published import Published, read_published, rows_of

STUDY, DATABASE, PAGE, NUMBERS = "study.toml", "results.db", "README.md", "scores.csv"
PUBLISHED = "published.toml"
FIGURE = "best"  # .png, and its numbers as .csv
_CHANCE = ("one-cluster", "random")  # controls that read no classes; the protocol adds them to every study
_NONE = "–"


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 where a file is not what the results give.")
def main(folder: Path, check: bool) -> None:
    """Make README.md, scores.csv and the figure of FOLDER from its study.toml and results.db."""
    image = folder / f"{FIGURE}.png"
    try:
        found = found_in(folder / DATABASE, read_study(folder / STUDY))
        files = made(folder, found)
    except (MvarenaError, OSError) as error:
        raise click.ClickException(str(error)) from error
    old = [path for path, text in files.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in old:
        if not check:
            path.write_text(files[path], encoding="utf-8")
        click.echo(f"{path} {'is not what the results give; run this without --check' if check else 'is written'}.")
    drawn = image.with_suffix(".csv") in files
    if drawn and not check:
        image.write_bytes(draw_best(best_points(found), _best_title(found)))
    sys.exit(1 if check and (old or (drawn and not image.exists())) else 0)


def made(folder: Path, found: Found) -> dict[Path, str]:
    """Each file of text and what it is to hold."""
    where = "/".join(folder.resolve().parts[-2:])  # the same wherever the project lies
    text = page(found, where, read_published(folder / PUBLISHED))
    files = {folder / PAGE: text, folder / NUMBERS: numbers(found)}
    points = best_points(found)
    return files | ({} if points.empty else {folder / f"{FIGURE}.csv": points.to_csv(index=False, float_format="%.4g")})


def numbers(found: Found) -> str:
    """Every number in long form: shares, and CPU seconds."""
    rows = found.values.reset_index()
    seconds = found.cost.rename("mean").reset_index().assign(metric="cpu-seconds")
    return pd.concat([rows, seconds]).sort_values([*CELL, "metric"]).to_csv(index=False, float_format="%.6g")


def page(found: Found, where: str, published: Published | None = None) -> str:
    """The text of the page. where : the folder, as commands name it from the project's."""
    run = f"mvarena run {where}/{STUDY} --db {where}/{DATABASE}"
    title, sentence, lines = _findings(found)
    parts = [
        f"# {title}",
        f"{sentence} Every method has its defaults, data scaled by the arena, the same masks, and no labels; the last "
        "epoch counts.",
        *_ahead(found),
        *_folded("Data set by data set", lines),
        *_folded(
            "Scores at the last epoch",
            "ACC / NMI in percent. Bold: the highest mean ACC of a column in which all have finished. ‡ not "
            "significantly better than the better trivial baseline (one cluster for all, or random labels), by the "
            "95 % interval of the difference. mflvc and concat get data filled by the arena.",
            *(_scores(found, dataset) for dataset in found.study.datasets if found.n_of(dataset)[0]),
        ),
        *_folded(
            "Choosing the epoch by labels",
            f"{_peek_sentence(found)} Points of ACC by which the best of ten epochs *by ground truth* is above the "
            "last: the score of a report that picks the epoch by ACC.",
            _peek(found),
        ),
        *_folded(
            "CPU seconds of a trial, and the default size",
            "With preparation, five k-means runs and scoring, one thread; means over rates and repeats.",
            _seconds(found),
            _sizes(found),
        ),
        *(_beside_papers(found, published) if published else ()),
        *_folded(
            "How it was made",
            f"`python -m mvarena_deep.page {where}` makes this page from `{DATABASE}` (numbers: [{NUMBERS}]"
            f"({NUMBERS}), of the figure [{FIGURE}.csv]({FIGURE}.csv)); `{run}` runs the study. Both need "
            f"`plugins/mvarena-deep`. Means over {found.study.repeats} repeats ± one standard deviation (n - 1), in "
            "the figure the root of its mean square over the rates. The settings of the default size were chosen after "
            "looking at digits and msrcv1, and the start of simvc and comvc was mended after looking at leaves100: "
            "scores there are no fresh test.",
            _progress(found, run),
        ),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _folded(title: str, *parts: str) -> list[str]:
    shown = [part for part in parts if part]
    return [f"<details>\n<summary>{title}</summary>", *shown, "</details>"] if shown else []


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
    return f"{text}\n\n{markdown_rows(['data', 'ended', 'of', 'share'], rows)}"


def _deep_and_others(found: Found) -> tuple[list[str], list[str]]:
    deep = [name for name in found.study.algorithms if name in DEEP and name != CONTROL]
    return deep, [name for name in found.study.algorithms if name not in DEEP]


def _compared(found: Found) -> list[tuple[str, list[float], dict[str, float]]]:
    """(data set, its rates at which everything has finished, mean ACC by method over these rates)."""
    compared = []
    for dataset in found.study.datasets if all(_deep_and_others(found)) else ():
        rates = [rate for rate in found.study.rates(dataset) if _all_there(found, dataset, rate)]
        if rates:
            means = {name: _mean_over(found, dataset, rates, name) for name in found.study.algorithms}
            compared.append((dataset, rates, means))
    return compared


def _findings(found: Found) -> tuple[str, str, str]:
    """The finding as a title and as a sentence, and a line for each data set; no lines where nothing has finished."""
    deep, shallow = _deep_and_others(found)
    lines, ahead = [], []
    for dataset, rates, means in _compared(found):
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
    if not lines:
        return "Deep methods under the same conditions", "", ""
    where = f" ({', '.join(ahead)})" if ahead else ""
    title = (
        f"On {len(ahead)} of {len(lines)} data sets the best of {len(deep)} deep methods is above the best of "
        f"{len(shallow)} others"
    )
    sentence = (
        f"On {len(ahead)} of {len(lines)} data sets{where} the best of {len(deep)} deep methods is above the best of "
        f"{len(shallow)} others, each chosen after the scores were seen. No claim is made on differences within the "
        "deviations below."
    )
    return title, sentence, "\n".join(lines)


def _ahead(found: Found) -> list[str]:
    """The figure and a table: of each data set the best deep method and the best other one, by mean ACC."""
    points = best_points(found)
    rows = [
        [dataset, *(f"{row.method} ({row.value:.1f})" for row in pair.itertuples())]
        for dataset, pair in points.groupby("dataset", sort=False)
    ]
    image = f"![{_best_title(found)}, with standard deviations]({FIGURE}.png)"
    return [image, markdown_rows(["data", "best deep method (mean ACC)", "best other method"], rows)] if rows else []


def _best_title(found: Found) -> str:
    deep, shallow = _deep_and_others(found)
    return f"Mean ACC of the best of {len(deep)} deep methods and the best of {len(shallow)} others"


def best_points(found: Found) -> pd.DataFrame:
    """The best deep method and the best other one on each data set, by mean ACC over the rates; no rows where nothing
    is to be compared.

    Columns: dataset, rates, series, method, value (percent), and low and high: value -+ the deviation over repeats,
    pooled over the rates.
    """
    rows = []
    for dataset, rates, means in _compared(found):
        told = f"{rates[0]:g}" if len(rates) == 1 else f"{rates[0]:g} to {rates[-1]:g}"
        for series, names in zip(("best deep method", "best other method"), _deep_and_others(found), strict=True):
            best = max(names, key=lambda name: means[name])
            cells = [cell for rate in rates for cell in _cells(dataset, rate, [best])]
            squares = [float(found.values.loc[(*cell.key, "acc"), "std"]) ** 2 for cell in cells]
            spread = 100 * (sum(squares) / len(squares)) ** 0.5
            rows.append((dataset, told, series, best, means[best], means[best] - spread, means[best] + spread))
    return pd.DataFrame(rows, columns=["dataset", "rates", "series", "method", "value", "low", "high"])


def draw_best(points: pd.DataFrame, title: str) -> bytes:
    """The figure of `best_points` as a PNG file's content."""
    from mvarena.papers.row_figures import draw_rows
    from mvarena.report.drawing.canvas import image_bytes, in_palette

    row = points["dataset"] + " (" + points["rates"].str.replace(" ", "\N{NO-BREAK SPACE}") + ")"
    axis = "mean ACC (%) over missing rates, ± one standard deviation over repeats"
    return in_palette(
        image_bytes(draw_rows(points.assign(row=row, axis=axis), f"{title}, by data set (missing rates)"), "png"), 64
    )


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
    return f"**{dataset}**\n\n{markdown_rows(['method', *(f'rate {rate:g}' for rate in rates)], rows)}"


def _named(name: str) -> str:
    return {CONTROL: f"{CONTROL} (control)"}.get(name, f"{name} (control)" if name in _CHANCE else name)


def _score(found: Found, cell: Wanted) -> str:
    acc, nmi = (found.value(cell, metric) for metric in METRICS[:2])
    if acc is None or nmi is None:
        return _NONE
    text = f"{_percent(acc)} / {_percent(nmi)}"
    if cell.algorithm not in _CHANCE and not found.above.get(cell.key, True):
        text += " ‡"
    repeats = found.study.repeats
    return text if acc["n_trials"] >= repeats else f"{text} ({acc['n_trials']:.0f} of {repeats})"


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
    return markdown_rows(["data", "rate", *names], rows) if rows else ""


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
    return markdown_rows(["method", *datasets], rows)


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
    head = "`size=paper` has the published layers, epochs, batches and rates. ACC / NMI."
    return f"{head}\n\n{markdown_rows(heads, rows)}"


def _beside_papers(found: Found, published: Published) -> list[str]:
    """The numbers that papers print beside the study's and those of other settings."""
    own = [_score(found, cell) for cell in _cells(published.dataset, published.rate, published.printed)]
    return _folded(
        "Printed numbers beside ours",
        f"{published.dataset} at rate {published.rate:g}, ACC / NMI in percent, means over {published.masks} masks of "
        f"seed 0. {published.finding}",
        markdown_rows(["setting", *published.printed, "options of its command"], rows_of(published, own)),
        f"This study's are of `{DATABASE}`. What is printed, and the other settings, of which each changes one thing, "
        f"stand in [{PUBLISHED}]({PUBLISHED}); their command, before its options, is `{published.command}`.",
    )


if __name__ == "__main__":
    main()
