"""Chapter 10: attention since 2017."""
