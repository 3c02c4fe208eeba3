"""Chapter 1, self-attention."""
