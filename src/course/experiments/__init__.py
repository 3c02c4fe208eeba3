"""Measurements behind the claims: arrays in, arrays out."""
