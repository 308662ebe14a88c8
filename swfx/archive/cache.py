"""The folder of fetched logs."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from swfx.archive.catalogue import ArchiveLog
from swfx.archive.content import require_unchanged
from swfx.base.errors import InputError

__all__ = ["ArchiveCache", "default_folder"]


def default_folder() -> Path:
    """Folder of fetched logs: below XDG_CACHE_HOME if that is set, else below ~/.cache."""
    given = os.environ.get("XDG_CACHE_HOME")
    base = Path(given) if given else Path.home() / ".cache"
    return base / "utilitysched" / "archive"


@dataclass(frozen=True)
class ArchiveCache:
    """A folder of fetched logs.

    Attributes
    ----------
    folder : Path
        Where; need not exist.
    """

    folder: Path = field(default_factory=default_folder)

    def path(self, log: ArchiveLog) -> Path:
        """Where the log is, once it is here."""
        return self.folder / log.file

    def partial(self, log: ArchiveLog) -> Path:
        """Where the log is while it is being fetched."""
        return self.folder / f"{log.file}.part"

    def holds(self, log: ArchiveLog) -> bool:
        """Whether the log is here."""
        return self.path(log).is_file()

    def find(self, log: ArchiveLog) -> Path:
        """Return where the log is.

        Raises
        ------
        InputError
            It is not here, or not what it should be.
        """
        if not self.holds(log):
            raise InputError(
                f"is not in {self.folder}",
                source=f"archive:{log.name}",
                remedy=f"get it once with: utilitysched fetch {log.name}",
            )
        require_unchanged(log, self.path(log))
        return self.path(log)
