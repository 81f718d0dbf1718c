"""The commands `mvarena data ...`."""
