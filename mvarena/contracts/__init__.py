"""Contracts of components: algorithms, data sets, corruptions, transforms, metrics, pickers, readers, and their specs.

`mvarena.contracts.specs` and `.capabilities` import no numerical library, so that a plugin can announce what it
has at no cost; the other modules are what its components build on when they run.
"""
