"""Train the translator anew: ``python -m transformer``; see `transformer.seeds`.

Weights, log and what they come to, for each of `storage.SEEDS`: two trainings at a
time, 7 min 16 s on two cores. After a change of its grammar, sizes or layers run it,
then ``python -m transformer.ablations`` (half an hour), ``python -m
transformer.laboratory`` (what heads add in the mean) and ``python -m
transformer.effects`` (what each cut costs: five minutes), all with
``OPENBLAS_NUM_THREADS=1``, and commit ``src/transformer/runs/``. Read chapter 7 again,
which computes from these files, and the rows of ``claims.csv``.
"""

from transformer.seeds import main

if __name__ == "__main__":
    main()
