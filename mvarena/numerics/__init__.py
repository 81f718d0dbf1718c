"""Pure functions on arrays, independent of views, data sets and trials."""
