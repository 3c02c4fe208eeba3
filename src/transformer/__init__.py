"""A small transformer that translates English to French, written in NumPy.

Read it in this order:

1. the language: `lexicon`, `grammar`, `sentences`, `vocabulary`, `automaton`;
2. the model: `parameters`, `positions`, `embeddings`, `masks`, `layers`, `encoder`,
   `decoder`, `model`; each part returns its output and its gradient function;
3. its use: `training`, `decoding` with its `trace`, `evaluation`, `laboratory`;
4. stored runs: `storage`, `stored_files`, `seeds`, `ablations`, `effects`,
   `executors`; and in `small` two other tasks that small stacks of layers learn.

Attention and its gradients come from the library `attention`. ``runs`` holds the
weights that the course uses; ``python -m transformer`` trains them again.
"""
