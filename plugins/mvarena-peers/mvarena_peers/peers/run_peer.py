"""Runs a class of another library on the data of a trial, in that library's own environment.

Arguments: the input (.npz), the output, and the module and the name of the class.
"""

import importlib
import inspect
import json
import sys

import numpy as np

given, output, module, name = sys.argv[1:]
with np.load(given) as file:
    views = [file[f"X{v}"] for v in range(1, int(file["n_views"]) + 1)]
    n_clusters, seed, params = int(file["n_clusters"]), int(file["seed"]), json.loads(str(file["params"]))
kind = getattr(importlib.import_module(module), name)
from_the_arena = {"n_clusters": n_clusters, "n_components": n_clusters, "random_state": seed}
known = inspect.signature(kind).parameters
params |= {key: value for key, value in from_the_arena.items() if key in known}
np.savez(output, labels=kind(**params).fit_predict(views))
