"""A room a chapter: its experiments, figures and questions, named as its notebook."""
