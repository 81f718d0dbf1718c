"""Methods of imml, mvlearn and polyview as contestants, each library in an environment of its own."""

from collections.abc import Iterable
from pathlib import Path

from mvarena import hookimpl
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.registry.user_code import local_spec

mvarena_hooks_version = 1  # of the hooks that this plugin is written for

PEERS = Path(__file__).parent / "peers"


@hookimpl
def mvarena_algorithms() -> Iterable[AlgorithmSpec]:
    """One for each file of `peers`."""
    return [local_spec(str(path)) for path in sorted(PEERS.glob("*.toml"))]
