"""Wrong attentions, each with a name and a reason.

Pages show the docstring of a wrong function. It says why people make the mistake, or
what follows from it. The functions take and return NumPy arrays; they have no
annotations, so that readers see only the formula.
"""

from course.practice.gallery.attention import ATTENTIONS
from course.practice.gallery.decoders import DECODERS
from course.practice.gallery.heads import HEADS
from course.practice.gallery.weights import WEIGHTS
from course.practice.gallery.wrong_function import Gallery, WrongFunction

__all__ = ["ATTENTIONS", "DECODERS", "HEADS", "WEIGHTS", "Gallery", "WrongFunction"]
