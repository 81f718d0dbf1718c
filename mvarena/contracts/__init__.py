"""What a contestant is: algorithms, data sets, corruptions, transforms and metrics, and how each describes itself.

`mvarena.contracts.specs` and `.capabilities` import no numerical library, so that a plugin can announce what it
has at no cost; the other modules are what its components build on when they run.
"""
