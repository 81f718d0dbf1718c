"""How long the external metrics take: one labelling, from one contingency table. Prints a Markdown table.

python benchmarks/metrics.py [--samples 2000] [--clusters 10] [--repeats 50]
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np

from mvarena.contracts.metric import Contingency, Points, Restarts, Space
from mvarena.contracts.specs import MetricSpec
from mvarena.registry.catalog import installed_catalog


def milliseconds(task: Callable[[], object], repeats: int) -> float:
    """The median wall time of `task`, after one call that is not counted."""
    task()
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        task()
        times.append(time.perf_counter() - started)
    return 1000 * statistics.median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=2000)
    parser.add_argument("--clusters", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=50)
    asked = parser.parse_args()
    rng = np.random.default_rng(0)
    truth = rng.integers(0, asked.clusters, asked.samples)
    predicted = np.where(rng.random(asked.samples) < 0.7, truth, rng.integers(0, asked.clusters, asked.samples))
    catalog = installed_catalog()
    specs = [spec for spec in catalog.specs("metric") if isinstance(spec, MetricSpec)]
    external = [(spec.name, catalog.load(spec)) for spec in specs if spec.needs == "truth"]

    def table() -> Contingency:
        return Contingency.from_labels(truth, predicted)

    def together() -> list[float]:
        shared = table()
        return [metric(shared) for _, metric in external]

    print(f"{asked.samples} samples, {asked.clusters} classes and clusters; median of {asked.repeats}\n")
    print("| | ms |\n|---|---|")
    took = milliseconds(together, asked.repeats)
    print(f"| **all {len(external)} external metrics, table included** | **{took:.3f}** |")
    print(f"| the table alone | {milliseconds(table, asked.repeats):.3f} |")
    for name, metric in external:
        print(f"| {name} alone, table included | {milliseconds(lambda m=metric: m(table()), asked.repeats):.3f} |")
    space = Space.of_embedding(rng.normal(size=(asked.samples, asked.clusters)) + truth[:, None])
    for spec in specs:
        if spec.needs == "points" and not spec.name.endswith("-views"):
            metric = catalog.load(spec)
            took = milliseconds(lambda m=metric: m(Points(predicted, space)), min(asked.repeats, 5))
            print(f"| {spec.name} on an embedding with {asked.clusters} columns, one more labelling | {took:.3f} |")
        elif spec.needs == "restarts":
            metric = catalog.load(spec)
            took = milliseconds(lambda m=metric: m(Restarts([predicted] * 20)), min(asked.repeats, 5))
            print(f"| {spec.name} of 20 restarts | {took:.3f} |")


if __name__ == "__main__":
    main()
