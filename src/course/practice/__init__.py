"""Wrong attentions, and graders that tell them apart from the right one.

Nothing here but NumPy and the course's library: the same code judges what a reader
writes in a notebook and in a page.

>>> from course.practice import check
>>> check("softmax", lambda logits: logits).passed
False
"""

from course.practice.bench import grade
from course.practice.check import check
from course.practice.exercises import mistakes

__all__ = ["check", "grade", "mistakes"]
