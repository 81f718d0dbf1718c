"""Tables as data. Their files and their look in a terminal are made in `report.formats`."""
