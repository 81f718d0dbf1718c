"""The user's cache: downloads, checksums that were computed, data sets memory-mapped. Never needed, only faster."""
