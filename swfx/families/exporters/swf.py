"""Standard Workload Format: the 18 fields and nothing else."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

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
        self.curves = self.checkpoints = 0
        self.columns: Counter[str] = Counter()

    def plain(self, workload: Workload) -> Workload:
        """Workload of the 18 fields alone."""
        self.extended |= workload.extended
        self.curves += int(workload.utility.defined.sum())
        self.checkpoints += int(np.count_nonzero(workload.checkpoint_interval > 0))
        for name in workload.extra_columns:
            self.columns[name] += int(np.count_nonzero(getattr(workload, name) != MISSING))
        fields = {name: getattr(workload, name) for name in FIELD_NAMES}
        return Workload.from_columns(header=workload.header.announcing(False), **fields)

    @property
    def notes(self) -> tuple[str, ...]:
        """One sentence, or none if nothing was left out."""
        if not self.extended:
            return ()
        parts = f"utility functions ({self.curves} jobs) and checkpoints ({self.checkpoints} jobs)"
        parts += "".join(f", {name} ({count} jobs)" for name, count in self.columns.items())
        return (f"SWF has no place for {parts}: left out; swfx keeps them",)
