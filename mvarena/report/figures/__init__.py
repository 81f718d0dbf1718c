"""Data of each kind of figure, without matplotlib. `report.drawing` draws them."""
