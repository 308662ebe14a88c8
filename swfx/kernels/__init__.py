"""Compiled loops of the reader; imported only when a log is read."""

from swfx.kernels.cache import keep_compiled_code, spare_scipy

keep_compiled_code()
spare_scipy()
