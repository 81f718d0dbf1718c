"""Time and memory of the graph methods on one input: a Markdown table, one fresh process per method."""

from __future__ import annotations

from one_process_each import main

from mvarena.algorithms.graph.specs_spectral import SPECS

if __name__ == "__main__":
    main(__file__, str(__doc__), SPECS, default=("coreg-pairwise", "coreg-centroid", "rmsc", "emvc"))
