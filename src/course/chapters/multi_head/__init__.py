"""Chapter 3: several heads."""
