"""Compiled loops of the reader; imported only when a log is read."""

from swfx.kernels.cache import ensure_folder

ensure_folder()
