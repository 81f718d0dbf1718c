"""Capabilities of an algorithm as data: the arena skips with a reason, and `fit` refuses in the same words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mvarena.text import listed

if TYPE_CHECKING:
    from mvarena.data import MultiViewData


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The inputs that an algorithm takes.

    kinds : view kinds among features, kernel, distance.
    negative : takes negative feature values.
    missing : takes samples that some views miss; otherwise a transform such as fill-mean must come first.
    min_views, max_views : how many views (max_views None: any number).
    complete_samples : how many samples must be observed in every view.
    sparse : keeps sparse feature views sparse (False: they are made dense inside; n x n views may be, either way).
    centred_kernels : wants kernels centred in feature space and of unit diagonal, as kernel k-means does.
    single : counts with float32 features as they are, in blocks (False: it gets them in double precision).
    deterministic : with default parameters, the representation does not depend on a random state.
    any_threads : the number of threads of linear algebra changes its result by rounding alone; where it does not,
        results hold for the number that is stored with them.
    """

    kinds: frozenset[str] = frozenset({"features"})
    negative: bool = True
    missing: bool = True
    min_views: int = 1
    max_views: int | None = None
    complete_samples: int = 0
    sparse: bool = True
    centred_kernels: bool = False
    deterministic: bool = False
    single: bool = False
    any_threads: bool = True

    @property
    def words(self) -> str:
        """'feature or kernel views; 2 views or more; complete data only; no negative values'."""
        most = self.max_views
        if most is None:
            views = "any number of views" if self.min_views <= 1 else f"{self.min_views} views or more"
        else:
            views = f"{self.min_views} views" if most == self.min_views else f"{self.min_views} to {most} views"
        kinds = [kind.removesuffix("s") for kind in sorted(self.kinds)]
        parts = [f"{listed(kinds, last='or')} views", views]
        parts.append("missing samples allowed" if self.missing else "complete data only")
        parts += [] if self.negative else ["no negative values"]
        return "; ".join(parts)

    @property
    def threads_words(self) -> str:
        """Warning where results depend on the number of threads; '' where they do not."""
        return "" if self.any_threads else "another number of threads (--threads) can give other clusters"

    def refusal(self, algorithm: str, data: MultiViewData, n_clusters: int | None) -> str | None:
        """Reason why `algorithm` cannot take `data`, in one sentence that says what to do; None if it can."""
        for reason in (
            self._views(data),
            self._missing(data),
            self._numbers(data),
            self._size(data, n_clusters),
        ):
            if reason:
                return f"{algorithm} cannot take {data.name}: {reason}"
        return None

    def _views(self, data: MultiViewData) -> str | None:
        kinds = {view.kind for view in data.views} - self.kinds
        if kinds:
            wanted = " or ".join(sorted(self.kinds))
            return (
                f"it needs {wanted} views and these are {', '.join(sorted(kinds))} views; "
                "prepare them with a transform that makes such views."
            )
        if data.n_views < self.min_views:
            return f"it needs at least {self.min_views} views and there is only {data.n_views}."
        if self.max_views is not None and data.n_views > self.max_views:
            names = ",".join(data.view_names[: self.max_views])
            return (
                f"it takes at most {self.max_views} views and there are {data.n_views}; "
                f"select some by name, as in '{data.name.partition('[')[0]}[{names}]'."
            )
        return None

    def _missing(self, data: MultiViewData) -> str | None:
        if not self.missing and not data.is_complete:
            return "it needs complete data and some samples miss a view; prepare them with fill-mean."
        complete = int(data.complete_samples.sum())
        if complete < self.complete_samples:
            return f"it needs {self.complete_samples} samples seen in every view and there are {complete}."
        return None

    def _numbers(self, data: MultiViewData) -> str | None:
        if not self.negative:
            for view in data.views:
                if view.kind == "features" and view.matrix.min() < 0:
                    return (
                        f"view '{view.name}' holds negative values; prepare the data with minmax or shift-nonnegative."
                    )
        return None

    def _size(self, data: MultiViewData, n_clusters: int | None) -> str | None:
        if n_clusters is None:
            return "the data have no classes; give the number of clusters (n_clusters)."
        if n_clusters > data.n_samples:
            return f"{n_clusters} clusters are more than its {data.n_samples} samples."
        return None
