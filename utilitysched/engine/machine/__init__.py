"""Loops for machines with pools, several resources, limits and a calendar."""
