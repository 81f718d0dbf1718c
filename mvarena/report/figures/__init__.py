"""Kinds of figures: each module computes the points of one and draws them."""
