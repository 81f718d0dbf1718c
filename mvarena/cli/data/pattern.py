"""The figure of `mvarena data inspect`: which samples have which views, as the data are and after a corruption."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from mvarena.data import MultiViewData
    from mvarena.report.files import Format


def write_patterns(data: MultiViewData, path: Path, corruption: str | None, rates: Sequence[str]) -> Path:
    """Draw the patterns of `data` into a .png, .svg or .pdf file.

    corruption : its name; None: the data as they are. rates : as they are typed, one panel each.
    Raises InvalidSetting for another ending and for rates without a corruption, and where every sample has every view.
    """
    from mvarena.errors import InvalidSetting
    from mvarena.registry.catalog import installed_catalog
    from mvarena.report.context import Context, context_of
    from mvarena.report.drawing.canvas import image_bytes
    from mvarena.report.figures.kinds import draw
    from mvarena.report.figures.missing import missing_points
    from mvarena.report.files import write_file
    from mvarena.report.style import Looks

    form = _form(path)
    if rates and corruption is None:
        raise InvalidSetting("rates need a corruption; name one, such as missing-even.", field="corruptions")
    context: Context = context_of(installed_catalog(), [])
    points = missing_points(_patterns(data, corruption, rates), context)
    if points.empty:
        raise InvalidSetting(
            f"every sample of {data.name} has every view; name a corruption that removes some, such as missing-even.",
            field="corruptions",
        )
    return write_file(path, image_bytes(draw("missing", points, Looks(looks={})), form))


def _form(path: Path) -> Format:
    from mvarena.errors import InvalidSetting
    from mvarena.report.files import FORMATS

    for form in FORMATS:
        if path.suffix.lower() == f".{form}":
            return form
    raise InvalidSetting(f"'{path}' must end in .png, .svg or .pdf.", field="figure", value=str(path))


def _patterns(data: MultiViewData, corruption: str | None, rates: Sequence[str]) -> pd.DataFrame:
    import pandas as pd

    from mvarena.api import corrupt
    from mvarena.report.trial_data import patterns
    from mvarena.study.model import DEFAULT_RATE
    from mvarena.study.values import rates_from

    if corruption is None:
        return patterns(data).assign(dataset=data.name, corruption="none", rate=0.0)
    requested = rates_from(rates) if rates else (DEFAULT_RATE,)
    parts = [patterns(corrupt(data, corruption, rate)).assign(rate=rate) for rate in requested]
    return pd.concat(parts, ignore_index=True).assign(dataset=data.name, corruption=corruption)
