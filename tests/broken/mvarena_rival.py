"""A plugin that provides a name that mvarena has already."""

from mvarena import hookimpl
from mvarena.contracts.specs import TransformSpec


@hookimpl
def mvarena_transforms():
    return [TransformSpec(name="unit-rows", target="mvarena_rival:nothing", summary="a second unit-rows")]
