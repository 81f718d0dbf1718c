"""What any multi-view method should be compared with."""
