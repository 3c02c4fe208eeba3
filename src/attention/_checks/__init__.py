"""Every check of an argument, so that the functions themselves stay a few lines.

An error names the argument, what came and what was expected, in the letters that the
docstrings use. What comes after the checks may trust what it gets.
"""
