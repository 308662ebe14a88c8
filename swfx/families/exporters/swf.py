"""Standard Workload Format: the 18 fields and nothing else."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from swfx.base.numbers import plural
from swfx.families.exporters.registry import EXPORTERS, Exported, Exporter
from swfx.fields import FIELD_NAMES, MISSING
from swfx.workload import Workload
from swfx.writer import to_bytes

__all__ = ["LeftOut", "Swf"]


@EXPORTERS.register("swf")
@dataclass(frozen=True)
class Swf(Exporter):
    """Standard Workload Format 2.2: the 18 fields and the header, for any reader of logs."""

    suffixes: ClassVar[tuple[str, ...]] = (".swf",)

    def format(self, workload: Workload) -> Exported:
        """Text of the file; curves, checkpoints and columns of ours are left out, and counted."""
        left_out = LeftOut()
        return Exported(to_bytes(left_out.plain(workload)), left_out.notes)


class LeftOut:
    """What SWF has no place for, counted over the parts of a workload."""

    def __init__(self) -> None:
        self.extended = False
        self.counts: Counter[str] = Counter()

    def plain(self, workload: Workload) -> Workload:
        """Workload of the 18 fields alone."""
        self.extended |= workload.extended
        self.counts["utility functions"] += int(workload.utility.defined.sum())
        self.counts["checkpoints"] += int(np.count_nonzero(workload.checkpoint_interval > 0))
        for name, values in workload.extra.items():
            self.counts[name] += int(np.count_nonzero(values != MISSING))
        fields = {name: getattr(workload, name) for name in FIELD_NAMES}
        return Workload.from_columns(header=workload.header.announcing(False), **fields)

    @property
    def notes(self) -> tuple[str, ...]:
        """One sentence, or none if nothing was left out."""
        if not self.extended:
            return ()
        counts = ((name, count) for name, count in self.counts.items() if count)
        parts = ", ".join(f"{name} ({plural(count, 'job')})" for name, count in counts)
        return (f"SWF has no place for {parts or 'restart overheads'}: left out; swfx keeps them",)
