"""Planes whose points the reader drags: words, or a query over its keys."""

from course.widgets.plane.bank import BankPlane

__all__ = ["BankPlane"]
