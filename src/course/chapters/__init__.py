"""One package for each chapter: its experiments, claims, figures and questions."""
