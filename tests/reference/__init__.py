"""Readable twins of the compiled code, written from the semantics in plain Python."""
