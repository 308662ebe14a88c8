"""Extended SWF, which keeps everything a workload holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias, cast, get_args

from swfx.base.configured import option
from swfx.base.errors import InputError
from swfx.families.exporters.registry import EXPORTERS, Exported, Exporter
from swfx.workload import Workload
from swfx.writer import to_bytes

__all__ = ["ExtendedSwf"]


Place: TypeAlias = Literal["comment", "fields"]


def _place(text: str) -> Place:
    for place in get_args(Place):
        if text == place:
            return cast("Place", place)
    raise InputError(
        f"{text!r} is no place", source="swfx", field="extension", remedy="say comment or fields"
    )


@EXPORTERS.register("swfx")
@dataclass(frozen=True)
class ExtendedSwf(Exporter):
    """Extended SWF; plain SWF where no job has more than the 18 fields.

    Parameters
    ----------
    extension : {"comment", "fields"}
        Where what follows the 18th field stands: behind a semicolon, or plainly. Readers that take
        18 fields and leave the rest read both. Readers that want lines of 18 fields, and know that
        a semicolon begins a comment, read the first: evalys, pandas, numpy.
    """

    suffixes: ClassVar[tuple[str, ...]] = (".swfx",)
    extension: Place = option(_place, "comment")

    @property
    def in_comment(self) -> bool:
        """Whether a semicolon stands before what follows the 18th field."""
        return self.extension == "comment"

    def format(self, workload: Workload) -> Exported:
        """Text of the file; nothing is left out."""
        return Exported(to_bytes(workload, in_comment=self.in_comment))
