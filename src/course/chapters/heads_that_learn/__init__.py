"""Chapter 8, heads that learn: experiments, figures, questions and stored runs."""
