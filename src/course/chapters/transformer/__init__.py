"""Chapter 6: the transformer, from what came before it to a model that translates."""
