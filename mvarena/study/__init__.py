"""Studies: the contestants, data and conditions to run, planned into trials with keys."""
