"""Checks of the arguments. The code after the checks does not check again.

An error names the argument, the expected value and the given value. Shapes are written
with the letters of the docstrings.
"""
