"""The course's material: the notes as data, experiments, figures and widgets."""
