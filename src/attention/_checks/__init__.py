"""Every check of an argument. The code after the checks does not check again.

An error names the argument, what was expected, in the letters of the docstrings, and
what the caller gave.
"""
