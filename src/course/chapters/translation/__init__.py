"""Chapter 7: a model that translates, what is in it and what it costs."""
