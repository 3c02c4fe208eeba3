"""*Wrong attentions*: wrong functions that raise no error, and tests for them."""
