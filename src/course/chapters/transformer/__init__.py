"""Chapter 6: the transformer, every part and the whole machine."""
