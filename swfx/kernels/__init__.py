"""Compiled loops of the reader; imported only when a log is read."""

from swfx.kernels.cache import keep_compiled_code, spare_scipy
from swfx.kernels.wheel import use_wheels_code

keep_compiled_code()
use_wheels_code()
spare_scipy()
