"""Names of the criteria for the number of clusters, apart from what computes them, which takes long to import."""

from __future__ import annotations

from collections.abc import Mapping

CRITERIA: Mapping[str, str] = {
    "modularity": "the highest modularity",
    "silhouette": "the highest mean silhouette",
    "eigengap": "the largest gap between eigenvalues of the neighbours' graph",
    "gap": "the smallest whose gap statistic is not below the next one's less its error",
    "stability": "the highest stability of k-means under subsamples of the samples",
    "view-stability": "the highest stability of k-means under subsamples of the samples and the views",
}
"""Name -> the number that it suggests, in words."""
DEFAULT_CRITERION = "modularity"
