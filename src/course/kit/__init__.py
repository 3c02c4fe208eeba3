"""Code that the chapters share: colours, computed prose, drawings, measures."""
