"""The arena's releases: results of a suite that are dated, described by a card, and shown on a page made from them."""
