"""Methods that describe samples by a few anchors instead of by one another."""
