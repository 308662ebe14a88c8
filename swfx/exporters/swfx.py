"""Extended SWF, which keeps everything a workload holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias, cast, get_args

from swfx.configured import option
from swfx.errors import InputError
from swfx.exporters.registry import EXPORTERS, Exported, Exporter
from swfx.fields import FIELDS
from swfx.workload import Workload
from swfx.writer import to_bytes

__all__ = ["ExtendedSwf"]


Place: TypeAlias = Literal["fields", "comment"]


def _place(text: str) -> Place:
    for place in get_args(Place):
        if text == place:
            return cast("Place", place)
    raise InputError(
        f"{text!r} is no place", source="swfx", field="extension", remedy="say fields or comment"
    )


@EXPORTERS.register("swfx")
@dataclass(frozen=True)
class ExtendedSwf(Exporter):
    """Extended SWF; plain SWF where no job has more than the 18 fields.

    Parameters
    ----------
    extension : {"fields", "comment"}
        Where what follows the 18th field stands: plainly, or behind a semicolon. Readers that take
        18 fields and leave the rest read both. Readers that want lines of 18 fields, and know that
        a semicolon begins a comment, read the second: evalys, pandas, numpy.
    """

    suffixes: ClassVar[tuple[str, ...]] = (".swfx",)
    extension: Place = option(_place, "fields")

    def format(self, workload: Workload) -> Exported:
        """Text of the file; nothing is left out."""
        text = to_bytes(workload)
        in_comment = workload.extended and self.extension == "comment"
        return Exported(_commented(text) if in_comment else text)


def _commented(text: bytes) -> bytes:
    """Put a semicolon behind the 18th field of every job line."""
    return b"\n".join(
        b"%b ; %b" % _divided(line) if line and not line.startswith(b";") else line
        for line in text.split(b"\n")
    )


def _divided(line: bytes) -> tuple[bytes, bytes]:
    *fields, rest = line.split(b" ", len(FIELDS))
    return b" ".join(fields), rest
