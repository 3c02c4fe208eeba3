"""A small encoder-decoder that translates, forward and backward by hand, in NumPy.

Read it in this order: `grammar` (what is translated), `sentences`, `vocabulary`,
`embeddings` and `positions`, `layers`, `encoder`, `decoder`, `model`, `training`,
`decoding`, `evaluation`. Attention itself, and its gradients, are `attention`'s.
"""
