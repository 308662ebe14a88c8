"""Tolerance between two ways to the same number of SU."""

TOLERANCE = 1e-9
"""Share of it by which they may: rounding of float64 (1e-16 a step) adds up over many steps, and
what is above it was not computed so. Whoever sets a charge straight by it keeps the certificates
that are checked by it."""
