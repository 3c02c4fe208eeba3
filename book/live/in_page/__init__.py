"""What runs in the reader's browser, in Pyodide: which cells run, and what is told.

Nothing here but the standard library; `book.live` packs it with the course's own code.
"""
