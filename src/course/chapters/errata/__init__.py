"""The notes, checked: what their misprints do."""
