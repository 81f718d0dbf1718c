"""The commands `mvarena arena ...`."""
