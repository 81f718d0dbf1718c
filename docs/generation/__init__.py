"""Generated pages of the documentation, by subject."""
