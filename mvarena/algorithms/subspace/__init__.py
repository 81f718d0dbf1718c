"""Methods that represent each sample by the others."""
