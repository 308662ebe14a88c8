"""The logs that are replayed, and what is known of the right result."""

import hashlib
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

import swfx
from swfx import Workload
from utilitysched import make_scheduler
from utilitysched.engine.compiled import run_compiled
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Setting
from utilitysched.model.state import Floats
from utilitysched.schedulers.list_scheduler import ListScheduler

ROOT = Path(__file__).parents[1]
TRACES = ROOT.parent / "shared" / "traces"
GOLDEN = ROOT / "tests" / "golden" / "starts.json"

KTH = "KTH-SP2-1996-2.1-cln"
SP2 = "SDSC-SP2-1998-4.2-cln"
BLUE = "SDSC-BLUE-2000-4.2-cln"
CURIE = "CEA-Curie-2011-2.1-cln"
DATASTAR = "SDSC-DS-2004-2.1-cln"
REPLAYED = (KTH, SP2, BLUE, CURIE)


def path(name: str) -> Path:
    """Return where a log is.

    Raises
    ------
    FileNotFoundError
        The collection is not beside the repository.
    """
    found = TRACES / f"{name}.swf.gz"
    if not found.is_file():
        raise FileNotFoundError(f"no {found}: the traces are not part of the repository")
    return found


@cache
def log(name: str) -> Workload:
    """Return a log after standard cleaning."""
    return swfx.read(path(name)).workload


def short(name: str) -> str:
    """Return the first two words of a log's name.

    Examples
    --------
    >>> short(BLUE)
    'SDSC-BLUE'
    """
    return "-".join(name.split("-")[:2])


def digest(start: Floats) -> str:
    """Return the SHA-256 (hex) of starts as little-endian float64."""
    return hashlib.sha256(np.ascontiguousarray(start, "<f8").tobytes()).hexdigest()


def check_starts(name: str, scheduler: str, start: Floats) -> None:
    """Raise RuntimeError unless starts in workload order are those known to be right."""
    golden = json.loads(GOLDEN.read_text("utf-8"))
    if digest(start) != golden[name][scheduler]:
        raise RuntimeError(f"{scheduler} on {name}: not the schedule it should be")


def loop(workload: Workload, scheduler: str) -> Callable[[], Floats]:
    """Return an action that runs the compiled event loop alone.

    The jobs are put in arrival order beforehand; the starts come back in workload order.
    """
    arrivals = Arrivals.of(workload)
    chosen = make_scheduler(scheduler)
    assert isinstance(chosen, ListScheduler)
    back = np.empty(len(workload), np.int64)
    back[arrivals.order] = np.arange(len(workload))

    def run() -> Floats:
        chosen.prepare(Setting(arrivals.known.machine_size, arrivals.longest_request, 0))
        start: Floats = run_compiled(arrivals, chosen, None).start
        return start[back]

    return run
