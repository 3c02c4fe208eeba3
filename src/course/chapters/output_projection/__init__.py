"""Chapter 4, the output projection."""
