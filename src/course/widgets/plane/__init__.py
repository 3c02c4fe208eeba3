"""Planes whose points the reader drags: words, or a query over its keys."""

from course.widgets.plane.bank import BankPlane
from course.widgets.plane.dial import QueryDial

__all__ = ["BankPlane", "QueryDial"]
