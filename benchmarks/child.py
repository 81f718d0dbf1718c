"""The process of one measurement: python -m benchmarks.child MODULE CASE PARAMETERS prints what was found as JSON."""

from __future__ import annotations

import json
import sys
from importlib import import_module

from benchmarks.harness import CASES
from benchmarks.watch import Skipped, Watch


def main() -> None:
    module, name, parameters = sys.argv[1:]
    import_module(f"benchmarks.{module}")
    watch = Watch()
    try:
        found = CASES[name].function(watch, **json.loads(parameters)) or {}
    except Skipped as reason:
        print(json.dumps({"skipped": str(reason)}))
        return
    print(json.dumps({"steps": watch.steps, "found": found}))


if __name__ == "__main__":
    main()
