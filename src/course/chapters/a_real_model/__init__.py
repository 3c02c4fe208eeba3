"""Chapter 9, a real language model: texts, campaigns, figures, questions."""
