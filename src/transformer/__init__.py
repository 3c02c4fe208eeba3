"""A small encoder-decoder that translates, forward and backward by hand, in NumPy.

Read it in this order:

1. what is translated: `lexicon`, `grammar`, `sentences`, `vocabulary`;
2. the machine: `parameters`, `positions`, `embeddings`, `masks`, `layers`, `encoder`,
   `decoder`, `model`; each part returns its output and its way back;
3. what is done with it: `training`, `decoding` with its `trace`, `evaluation`,
   `ablations`, `storage`.

Attention itself, and its gradients, are the library's, `attention`. The weights that
the course uses lie in ``runs``; ``python -m transformer`` trains them anew.
"""
