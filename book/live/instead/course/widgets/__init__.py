"""What the code of a page has of the widgets: the figures stand in the page already."""

from course.widgets.card import ask
from course.widgets.machine import Machine
from course.widgets.machine.inputs import MachineInputs

__all__ = ["Machine", "MachineInputs", "ask"]
