"""Wrong attentions, and graders that recognise them in a reader's code.

The package imports only NumPy and the course's library, because the same code judges a
reader's function in a notebook and in a page of the site.

>>> from course.practice import check
>>> check("softmax", lambda logits: logits).passed  # doctest: +ELLIPSIS
Not yet. ...
False
"""

from course.practice.bench import grade
from course.practice.check import check
from course.practice.exercises import mistakes

__all__ = ["check", "grade", "mistakes"]
