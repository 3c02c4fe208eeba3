"""Chapter 2, why the scores are divided by the root of d_k."""
