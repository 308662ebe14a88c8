"""`utilitysched fetch`."""

from typing import TYPE_CHECKING, Annotated

import typer

from swfx.base.request_fields import Directory
from swfx.base.typed import Typed
from utilitysched.cli.shared import Json, Quiet

if TYPE_CHECKING:
    from swfx.archive.catalogue import ArchiveCache, ArchiveLog
    from swfx.archive.fetch import Fetched

EPILOG = """\b
A fetched log is a workload by the name archive:NAME. Logs of the archive are cited: see --list.
Examples:
  utilitysched fetch --list
  utilitysched fetch KTH-SP2 && utilitysched simulate archive:KTH-SP2
  utilitysched fetch KTH-SP2 --from https://mirror.example.org/workload --cache logs
"""


def fetch(
    name: Annotated[str | None, Typed("NAME")] = None,
    listed: Annotated[bool, Typed("--list")] = False,
    base: Annotated[str | None, Typed("--from URL", shown="the archive")] = None,
    cache: Annotated[
        Directory,
        Typed("--cache DIR", shown="utilitysched/archive in XDG_CACHE_HOME or ~/.cache"),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Download a log of the Parallel Workloads Archive, once.

    Checks its content, and prints where the file is.

    Parameters
    ----------
    name : str or None
        Name of the log.
    listed : bool
        List the known logs instead.
    base : str or None
        A mirror with the archive's folders, or the file itself (.gz).
    cache : Path or None
        Where logs are kept.
    json, quiet : bool
        JSON in place of text; errors alone.
    """
    from swfx.archive.catalogue import ARCHIVE, ArchiveCache, default_folder
    from utilitysched.report.listings import print_logs
    from utilitysched.report.terminal import print_json

    place = ArchiveCache(cache or default_folder())
    if listed:
        print_logs(place, json=json)
        return
    if name is None:
        raise typer.BadParameter("name a log, or list them with --list", param_hint="NAME")
    document = _fetched(name, place, base or ARCHIVE, quiet=quiet)
    if json:
        print_json(document)
    else:
        print(document["path"])


def _fetched(name: str, cache: "ArchiveCache", base: str, *, quiet: bool) -> dict[str, object]:
    from swfx.archive.catalogue import find_log
    from swfx.archive.fetch import fetch as get
    from utilitysched.cli.notifier import ProgressBar, notifier

    echo = notifier(quiet=quiet)
    log = find_log(name)
    with ProgressBar(log.file, quiet=quiet) as progress:
        fetched = get(log, cache, base=base, on_progress=progress)
    echo(f"{log.name}: {'fetched' if fetched.downloaded else 'was here'}, {_verdict(log, fetched)}")
    return {
        "name": log.name,
        "path": str(fetched.path),
        "sha256": fetched.sha256,
        "checked": log.content is not None,
        "downloaded": fetched.downloaded,
    }


def _verdict(log: "ArchiveLog", fetched: "Fetched") -> str:
    if log.content:
        return f"its {log.content.jobs:,} job lines have the checksum that is known"
    return f"whole; no checksum is known for it, its SHA-256 is {fetched.sha256}"
