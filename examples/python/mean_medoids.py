"""k-medoids of the mean distance over the views that observe both samples; needs nothing but the standard library."""

import csv
import math
import random
import statistics
import sys
from pathlib import Path


def read(path):
    with open(path, newline="") as file:
        return [[float(value) for value in row] for row in csv.reader(file)]


def distances(X):
    """Distances in units of their median; None where a view misses one of both samples."""
    seen = [not math.isnan(row[0]) for row in X]
    D = [
        [math.dist(a, b) if s and t else None for b, t in zip(X, seen, strict=True)]
        for a, s in zip(X, seen, strict=True)
    ]
    unit = statistics.median(value for row in D for value in row if value)
    return [[None if value is None else value / unit for value in row] for row in D]


def mean_distances(views):
    n = len(views[0])
    known = [[[D[i][j] for D in views if D[i][j] is not None] for j in range(n)] for i in range(n)]
    farthest = max(max(values) for row in known for values in row if values)
    return [[sum(values) / len(values) if values else farthest for values in row] for row in known]


def k_medoids(D, k, draw):
    n = len(D)
    medoids = draw.sample(range(n), k)
    while True:
        labels = [min(range(k), key=lambda c: D[i][medoids[c]]) for i in range(n)]
        moved = []
        for c in range(k):
            members = [i for i in range(n) if labels[i] == c] or [medoids[c]]
            moved.append(min(members, key=lambda i: sum(D[i][j] for j in members)))
        if moved == medoids:
            return sum(D[i][medoids[label]] for i, label in enumerate(labels)), labels
        medoids = moved


folder, output = map(Path, sys.argv[1:])
with open(folder / "settings.csv", newline="") as file:
    settings = dict(csv.reader(file))
views = [distances(read(folder / f"X{v}.csv")) for v in range(1, int(settings["n_views"]) + 1)]
draw = random.Random(int(settings["seed"]))
D, k = mean_distances(views), int(settings["n_clusters"])
cost, labels = min(k_medoids(D, k, draw) for _ in range(int(settings["param.starts"])))
output.write_text("".join(f"{label}\n" for label in labels))
