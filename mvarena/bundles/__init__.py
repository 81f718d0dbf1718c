"""Bundles: results of one method on one study as text files, to be submitted, verified by others and taken in."""
