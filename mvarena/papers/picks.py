"""What pickers pick among the stored trials that a question is about, and the metrics that they go by."""

from __future__ import annotations

import pandas as pd

from mvarena.analysis.candidates import newest, points_of
from mvarena.analysis.picking import picked
from mvarena.analysis.study_picks import metrics_of_pickers
from mvarena.errors import InvalidData
from mvarena.papers.questions import Picking
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import Database
from mvarena.store.trials import done_trials


def picks_of(db: Database, item: Picking) -> pd.DataFrame:
    """The rows of `mvarena.analysis.picking.picked` over the item's data sets, by all pickers.

    Raises InvalidData where there is nothing to choose from. Cost: that of the pickers, by labellings.
    """
    catalog = installed_catalog()
    points = points_of(newest(done_trials(db, datasets=item.data)), across=item.across)
    if not points:
        raise InvalidData(f"{item.name}: no data set has two results to choose from.")
    pickers = [catalog.picker(name) for name in catalog.names("picker")]
    return picked(db, points, pickers, [catalog.metric(name) for name in item.metrics], catalog)


def metrics_of_all_pickers() -> list[str]:
    """The metrics that pickers go by, which trials are not scored by of themselves."""
    catalog = installed_catalog()
    return metrics_of_pickers(catalog.names("picker"), catalog)
