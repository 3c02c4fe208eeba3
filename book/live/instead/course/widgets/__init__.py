"""What the code of a page has of the widgets: the figures stand in the page already."""

from course.widgets.card import ask
from course.widgets.worksheet import Worksheet
from course.widgets.worksheet.inputs import WorksheetInputs

__all__ = ["Worksheet", "WorksheetInputs", "ask"]
