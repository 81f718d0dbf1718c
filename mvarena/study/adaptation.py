"""By which transforms any algorithm can take any data: what its capabilities demand, and no more."""

from __future__ import annotations

import re

from mvarena.contracts.capabilities import Capabilities
from mvarena.data import MultiViewData
from mvarena.errors import unknown_name
from mvarena.registry.catalog import Catalog
from mvarena.study.model import DEFAULT_FILL

AUTO, NONE, PAPER = "auto", "none", "paper"
SCALE_AUTO, UNIT = "scale-auto", "unit-view"

Steps = tuple[str, ...]

# how a view of the first kind becomes one of the second
_TURNED = {
    ("distance", "kernel"): "distance-kernel",
    ("distance", "features"): "distance-features",
    ("kernel", "features"): "kernel-features",
    ("features", "kernel"): "gaussian-kernel",
}
_TO_FEATURES = tuple(step for (_, wanted), step in _TURNED.items() if wanted == "features")


def scaling_named(text: str) -> Steps:
    """'auto', 'none' or 'tfidf,unit-rows' as the transforms that it stands for."""
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    return tuple(SCALE_AUTO if name == AUTO else name for name in names if name != NONE)


def filling_named(fill: str, catalog: Catalog) -> str:
    """The transform behind a filling such as 'mean'; UnknownName where there is none."""
    known = [name.removeprefix("fill-") for name in catalog.names("transform") if name.startswith("fill-")]
    if fill not in known:
        raise unknown_name("filling", fill, known, f"There are {', '.join(known)}.")
    return f"fill-{fill}"


def has_features(data: MultiViewData) -> bool:
    """True if any view of `data` is one that scaling acts on."""
    return any(view.kind == "features" for view in data.views)


def adaptation(
    capabilities: Capabilities, data: MultiViewData, fill: str = DEFAULT_FILL, scaling: Steps = (SCALE_AUTO,)
) -> Steps:
    """The transforms by which an algorithm with these capabilities can take `data`.

    They depend on the kinds of the views alone: what finds nothing to fill, or nothing negative, leaves the data as
    they are. So an algorithm has the same steps under every corruption, and whatever is drawn.

    Distances and kernels have a unit of their own, in which nothing is said of samples: views that are made features
    get the size that the automatic scaling gives others. scaling : of the data's own features; where it is another one,
    which leaves their sizes as asked, no view is resized.
    """
    steps, kinds = [], set()
    for kind in dict.fromkeys(view.kind for view in data.views):
        wanted = [item for item in ("kernel", "features") if item in capabilities.kinds and (kind, item) in _TURNED]
        if kind in capabilities.kinds or not wanted:
            kinds.add(kind)
        else:
            steps.append(_TURNED[kind, wanted[0]])
            kinds.add(wanted[0])
    if not set(steps).isdisjoint(_TO_FEATURES) and (scaling == (SCALE_AUTO,) or not has_features(data)):
        steps.append(UNIT)
    if capabilities.centred_kernels and "kernel" in kinds:
        steps.append("center-kernels")
    if not capabilities.missing:
        steps.append(f"fill-{fill}")
    if not capabilities.negative:
        steps.append("shift-nonnegative")
    return tuple(steps)


_STEP = re.compile(r"[^,\[]+(?:\[[^\]]*\])?")  # a comma within brackets separates parameters
_ADAPTATION = (*_TURNED.values(), "center-kernels", "shift-nonnegative")


def scaling_in(prepare: str) -> str:
    """The scaling in stored steps of preparation: 'scale-auto,fill-knn' -> 'auto', 'fill-mean' -> 'none'.

    It is what is left without the steps by which data are adapted to a method, as a study would name it.
    """
    steps = [step.partition("[")[0] for step in _STEP.findall(prepare)]
    own = [
        whole
        for place, (whole, name) in enumerate(zip(_STEP.findall(prepare), steps, strict=True))
        if not _is_adaptation(name) and not (name == UNIT and steps[max(place - 1, 0)] in _TO_FEATURES)
    ]
    return ",".join(AUTO if step == SCALE_AUTO else step for step in own) or NONE


def filling_in(prepare: str) -> str:
    """Filling in stored steps of preparation: 'scale-auto,fill-knn' -> 'knn'; '' where nothing is filled."""
    filled = [step.removeprefix("fill-") for step in _STEP.findall(prepare) if step.startswith("fill-")]
    return ",".join(filled)


def lacks_unit(prepare: str) -> bool:
    """True if stored steps make features of kernels or distances and leave them the unit that these have."""
    steps = {step.partition("[")[0] for step in _STEP.findall(prepare)}
    return not steps.isdisjoint(_TO_FEATURES) and UNIT not in steps


def takes_kernels(prepare: str) -> bool:
    """True if stored steps of preparation say that the views were kernels before any step."""
    steps = _STEP.findall(prepare)
    return "kernel-features" in steps or (
        "center-kernels" in steps and not {"gaussian-kernel", "distance-kernel"} & set(steps)
    )


def _is_adaptation(name: str) -> bool:
    return name in _ADAPTATION or name.startswith("fill-")
