"""Train the translator anew: ``python -m transformer``; see `transformer.seeds`."""

from transformer.seeds import main

if __name__ == "__main__":
    main()
