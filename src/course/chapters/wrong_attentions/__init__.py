"""*Wrong attentions*: mistakes that run, and tests that catch them."""
