"""Run the cells of a page in the reader's browser, in Pyodide.

This package needs only the standard library. `book.live` packs it with the course.
"""
