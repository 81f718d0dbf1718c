"""How plugins are found (entry points, one try each) and their components looked up by name."""
