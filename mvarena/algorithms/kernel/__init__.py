"""Multiple kernel k-means and late fusion."""
