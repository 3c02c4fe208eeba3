"""Measures that several chapters share: arrays in, arrays out."""

import numpy as np
from numpy.typing import ArrayLike

from course.kit.arrays import Array


def entropy(weights: ArrayLike) -> Array:
    """Return the entropy in nats of each row of weights, (..., m), with 0 ln 0 = 0."""
    weights = np.asarray(weights, dtype=float)
    logs = np.log(weights, out=np.zeros_like(weights), where=weights > 0)
    return -(weights * logs).sum(axis=-1) + 0.0


def barycentric(points: ArrayLike, corners: ArrayLike) -> Array:
    """Return the weights, (..., 3), with which three corners mix to points, (..., 2).

    The corners must not lie on one line. The weights add up to 1. At least one weight
    is negative if, and only if, the point lies outside the triangle.
    """
    points, corners = np.asarray(points, float), np.asarray(corners, float)
    system = np.vstack([corners.T, np.ones(3)])
    ones = np.ones((*points.shape[:-1], 1))
    lifted = np.concatenate([points, ones], axis=-1)
    return np.linalg.solve(system, lifted[..., None])[..., 0]
