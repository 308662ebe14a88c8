"""Extended SWF, which keeps everything a workload holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from swfx.families.exporters.registry import EXPORTERS, Exported, Exporter
from swfx.workload import Workload
from swfx.writer import to_bytes

__all__ = ["ExtendedSwf"]


@EXPORTERS.register("swfx")
@dataclass(frozen=True)
class ExtendedSwf(Exporter):
    """Extended SWF; plain SWF where no job has more than the 18 fields.

    What follows the 18th field stands behind a semicolon. Readers that take 18 fields and leave the
    rest read it, and so do those that want lines of 18 fields, and know that a semicolon begins a
    comment: evalys, pandas, numpy.
    """

    suffixes: ClassVar[tuple[str, ...]] = (".swfx",)

    def format(self, workload: Workload) -> Exported:
        """Text of the file; nothing is left out."""
        return Exported(to_bytes(workload))
