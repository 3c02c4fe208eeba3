"""Still figures: arrays in, a Matplotlib figure out."""
