"""Compiled loops of the reader; imported only when a log is read."""

from swfx.kernels.cache import keep_compiled_code, load_without_compiler
from swfx.kernels.wheel import use_wheels_code

keep_compiled_code()
use_wheels_code()
load_without_compiler()
