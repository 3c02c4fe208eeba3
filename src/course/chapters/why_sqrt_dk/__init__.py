"""Chapter 2: why scores are divided by the square root of d_k."""
