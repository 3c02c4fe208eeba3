"""Wrong attentions, and graders that recognise them in a reader's code.

The package imports only NumPy and the course's library, because the same code judges a
reader's function in a notebook and in a page of the site.

``check("softmax", my_softmax)`` judges a reader's function: the verdict says whether it
passed, and why not.
"""

from course.practice.bench import grade
from course.practice.check import check
from course.practice.exercises import mistakes

__all__ = ["check", "grade", "mistakes"]
