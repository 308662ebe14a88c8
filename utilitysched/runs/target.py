"""The directory that simulations write to, claimed before they start."""

import fcntl
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from swfx import InputError, Workload, write
from utilitysched.runs.files import text_at, unwritable, write_json

WORKLOAD_FILE = "workload.swfx.gz"
LOAD_REPORT_FILE = "load_report.json"
RECORD_FILE = "run.json"

_SEPARATORS = str.maketrans({":": "-", ",": "-", "=": "_"})
_UNSAFE = re.compile(r"[^A-Za-z0-9._+-]")


def directory_name(label: str) -> str:
    """Return a scheduler label as a file name that needs no quotes in a shell.

    Examples
    --------
    >>> directory_name("saf:threshold=200000,backfill=spf")
    'saf-threshold_200000-backfill_spf'
    """
    return _UNSAFE.sub("_", label.translate(_SEPARATORS)).lstrip(".") or "_"


@dataclass(frozen=True)
class Target:
    """A results directory: one workload on top, one directory per scheduler below.

    Attributes
    ----------
    directory : Path
        Exists and can be written.
    runs : mapping of str to Path
        Scheduler label to its run directory, which need not exist yet.
    """

    directory: Path
    runs: Mapping[str, Path]

    def replaced(self) -> list[str]:
        """Return the labels whose directories hold results already."""
        return [label for label, run in self.runs.items() if (run / RECORD_FILE).exists()]

    def strangers(self, digest: str) -> list[str]:
        """Return the names of other run directories here that were made from another workload."""
        others = {path.parent for path in self.directory.glob(f"*/{RECORD_FILE}")}
        others -= set(self.runs.values())
        return sorted(
            path.name
            for path in others
            if text_at(path / RECORD_FILE, "workload", "digest") != digest
        )

    def write_workload(self, workload: Workload, report: Mapping[str, object]) -> None:
        """Write the workload and what happened when it was read."""
        write(workload, self.directory / WORKLOAD_FILE)
        document = {"workload_digest": workload.digest(), **report}
        write_json(self.directory / LOAD_REPORT_FILE, document, indent=None)


def claim(directory: Path, digest: str, labels: Iterable[str], *, force: bool = False) -> Target:
    """Make a results directory and prove that it can be written, before anything long starts.

    Parameters
    ----------
    directory : Path
        Made with its parents if absent.
    digest : str
        Digest of the workload about to be simulated.
    labels : iterable of str
        Labels of the schedulers.
    force : bool, default False
        Accept a directory that holds another workload.

    Raises
    ------
    InputError
        The directory cannot be made or written, holds another workload, or two labels share a
        directory name.
    """
    runs = _run_directories(directory, labels)
    for path in (directory, *(run for run in runs.values() if run.exists())):
        prove_writable(path)
    held = held_digest(directory)
    if held not in (None, digest) and not force:
        raise InputError(
            "holds the results of another workload",
            source=str(directory),
            remedy="choose another directory, or --force to replace it",
        )
    return Target(directory, runs)


@contextmanager
def sole_use(directory: Path) -> Iterator[None]:
    """Keep other processes out of a results directory while it is claimed.

    Of two that claim it at once for different workloads, the second finds the first one's.
    """
    handle = os.open(directory, os.O_RDONLY)
    try:
        with suppress(OSError):  # some network file systems have no locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def held_digest(directory: Path) -> str | None:
    """Return the digest of the workload a results directory holds, None if it holds none."""
    if not (directory / WORKLOAD_FILE).exists():
        return None
    return text_at(directory / LOAD_REPORT_FILE, "workload_digest") or "unknown"


def _run_directories(directory: Path, labels: Iterable[str]) -> dict[str, Path]:
    runs: dict[str, Path] = {}
    for label in labels:
        path = directory / directory_name(label)
        if path in runs.values():
            raise InputError(
                f"two schedulers would write to {path}",
                source=label,
                remedy="name each scheduler once",
            )
        runs[label] = path
    return runs


def prove_writable(directory: Path) -> None:
    """Make a directory with its parents if absent, and prove that files can be made in it.

    Raises
    ------
    InputError
        It cannot be made or written.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            pass
    except OSError as error:
        raise unwritable(directory, error) from error
