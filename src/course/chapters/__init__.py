"""One package for each notebook: its experiments, figures and questions."""
