"""Discovery of plugins (entry points, one try each) and lookup of their components by name."""
