"""Panels, legends and cells that the kinds of figures are drawn with."""
