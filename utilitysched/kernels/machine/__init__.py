"""Kernels of machines with pools, several resources, limits and a calendar."""
