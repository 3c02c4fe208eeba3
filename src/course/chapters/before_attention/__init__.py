"""*Before attention*: models that read and translated before the transformer."""
