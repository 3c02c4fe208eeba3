"""*Before attention*: what read and translated sentences before the transformer."""
