"""Train the translator again: ``python -m transformer``; see `transformer.seeds`.

After a change of its grammar, sizes or layers run these four commands with
``OPENBLAS_NUM_THREADS=1``, and commit ``src/transformer/runs/``:

- ``python -m transformer``: weights, log and tables (7 min 16 s on two cores);
- ``python -m transformer.ablations``: variants without a part (half an hour);
- ``python -m transformer.laboratory``: the mean contribution of each head;
- ``python -m transformer.effects``: the cost of each cut (five minutes).

Then check chapter 7, which computes with these files, and the rows of ``claims.csv``.
A change of the layers also changes the runs of the programs in `transformer.small`.
"""

from transformer.seeds import main

if __name__ == "__main__":
    main()
