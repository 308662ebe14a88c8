"""Families of which a text names a member: formats, transformations, and models of every kind."""
