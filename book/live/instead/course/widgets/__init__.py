"""The widgets for code in the page, where the figures exist already."""

from course.widgets.card import ask, right, wrong
from course.widgets.machine import Machine
from course.widgets.machine.inputs import MachineInputs

__all__ = ["Machine", "MachineInputs", "ask", "right", "wrong"]
