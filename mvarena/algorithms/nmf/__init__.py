"""Factorisations: a low-rank factor per view, or one for all, and k-means on it."""
