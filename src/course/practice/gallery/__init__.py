"""The gallery: wrong attentions that run, return the right shape, and have a name."""

from course.practice.gallery.attention import ATTENTIONS
from course.practice.gallery.heads import HEADS
from course.practice.gallery.weights import WEIGHTS
from course.practice.gallery.wrong import Gallery, WrongFunction

__all__ = ["ATTENTIONS", "HEADS", "WEIGHTS", "Gallery", "WrongFunction"]
