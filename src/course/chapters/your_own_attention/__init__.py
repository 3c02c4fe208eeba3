"""*Your own attention*: the reader fills in the sheet."""
