"""Room of chapter 8, heads that learn: its experiments, figures and questions."""
