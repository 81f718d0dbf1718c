"""Where a trial's data come from: a data set's name, with views picked as in `digits[fou,fac]`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from mvarena.contracts.specs import DatasetSpec
from mvarena.errors import InvalidSetting
from mvarena.registry.catalog import Catalog

if TYPE_CHECKING:
    from mvarena.data import MultiViewData

_PICKED = re.compile(r"(?P<name>[^\[\]]+)(?:\[(?P<views>[^\[\]]*)\])?")


@dataclass(frozen=True, slots=True)
class Source:
    """A data set as users name it.

    views : the picked views, in order; empty for all.
    """

    name: str
    spec: DatasetSpec
    views: tuple[str, ...]

    def content(self, data: MultiViewData) -> str:
        """What identifies the numbers in a trial's key: their fingerprint, or the generator where they are drawn."""
        if not self.spec.generated:
            return data.fingerprint
        views = f"[{','.join(self.views)}]" if self.views else ""
        return f"generated:{self.spec.name}{views}:{self.spec.version}"


def source_named(name: str, catalog: Catalog) -> Source:
    """The source behind a name such as `digits` or `3sources[bbc,guardian]`.

    Raises UnknownName with near names, or InvalidSetting for brackets that do not pair.
    """
    match = _PICKED.fullmatch(name.strip())
    if match is None:
        raise InvalidSetting(f"'{name}' is no data set name; pick views as in 'digits[fou,fac]'.")
    spec = catalog.dataset(match["name"])
    if match["views"] is None:
        return Source(spec.name, spec, ())
    views = tuple(part.strip() for part in match["views"].split(",") if part.strip())
    if not views:
        raise InvalidSetting(f"'{name}' picks no view; the views of {spec.name} are {', '.join(spec.views)}.")
    return Source(f"{spec.name}[{','.join(views)}]", spec, views)


@lru_cache(maxsize=4)
def load_source(name: str, catalog: Catalog, seed: int = 0) -> MultiViewData:
    """The data behind a name, with the picked views; kept for the next trials of the same process.

    `seed` matters only for data drawn at random.
    """
    source = source_named(name, catalog)
    data: MultiViewData = catalog.load(source.spec)(seed)
    if source.views:
        data = data.select_views(source.views)
    return data.renamed(source.name)
