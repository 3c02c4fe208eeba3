"""Shared by all chapters: colours, sentences, drawings of matrices, measures."""
