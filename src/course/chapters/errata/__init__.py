"""The errata: misprints of the notes and their effects."""
