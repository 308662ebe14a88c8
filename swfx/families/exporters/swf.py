"""Standard Workload Format: the 18 fields and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from swfx.base.numbers import plural
from swfx.families.exporters.registry import EXPORTERS, Exported, Exporter
from swfx.fields import FIELD_NAMES, MISSING
from swfx.workload import Workload
from swfx.writer import to_bytes

__all__ = ["Swf"]


@EXPORTERS.register("swf")
@dataclass(frozen=True)
class Swf(Exporter):
    """Standard Workload Format 2.2: the 18 fields and the header, for any reader of logs."""

    suffixes: ClassVar[tuple[str, ...]] = (".swf",)

    def format(self, workload: Workload) -> Exported:
        """Text of the file; curves, checkpoints and columns of ours are left out, and counted."""
        fields = {name: getattr(workload, name) for name in FIELD_NAMES}
        plain = Workload.from_columns(header=workload.header.announcing(False), **fields)
        return Exported(to_bytes(plain), _left_out(workload))


def _left_out(workload: Workload) -> tuple[str, ...]:
    """Return a sentence on what SWF has no place for, or none if nothing is left out."""
    if not workload.extended:
        return ()
    counts = {
        "utility functions": int(workload.utility.defined.sum()),
        "checkpoints": int(np.count_nonzero(workload.checkpoint_interval > 0)),
        **{
            name: int(np.count_nonzero(column != MISSING))
            for name, column in workload.extra.items()
        },
    }
    named = (f"{name} ({plural(count, 'job')})" for name, count in counts.items() if count)
    parts = ", ".join(named) or "restart overheads"
    return (f"SWF has no place for {parts}: left out; swfx keeps them",)
