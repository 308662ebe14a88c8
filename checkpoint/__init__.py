"""What a checkpoint is worth: work kept and lost when a running job is bumped."""

from checkpoint.interval import Bump, bump, constant_overhead, proportional_overhead

__all__ = ["Bump", "bump", "constant_overhead", "proportional_overhead"]
