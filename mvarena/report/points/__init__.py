"""What each kind of figure shows, as words and numbers: frames that are written beside the figure and drawn from."""
