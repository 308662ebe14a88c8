"""Experiments: grids of simulations that are described in a file and never run twice."""
