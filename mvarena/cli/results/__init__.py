"""The commands `mvarena results ...`."""
