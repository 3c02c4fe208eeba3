"""The page with the reader's own sentence."""
