"""Pure functions on arrays: they know nothing of views, data sets or the arena."""
