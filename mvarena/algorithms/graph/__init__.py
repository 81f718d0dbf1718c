"""Methods that cluster a graph built over the views."""
