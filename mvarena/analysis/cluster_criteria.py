"""Names of the criteria for the number of clusters, apart from what computes them, which takes long to import."""

from __future__ import annotations

from collections.abc import Mapping

CRITERIA: Mapping[str, str] = {
    "modularity": "the highest modularity",
    "silhouette": "the highest mean silhouette",
    "agreement": "the highest mean agreement of the methods' restarts with the consensus",
}
"""Name -> the number that it suggests, in words."""
DEFAULT_CRITERION = "modularity"
