"""CPU seconds and memory of what is compared.

CPU time, not the clock's: machines are shared, and a neighbour must not decide a ratio.
"""

import ctypes
import gc
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

ROUNDS = 5
Action = Callable[[], Any]


@dataclass(frozen=True)
class Race:
    """CPU seconds of several actions, taken in turn A B A B ...

    Attributes
    ----------
    seconds : mapping of str to list of float
        Of each action, round by round.
    results : mapping of str to object
        What each action returned in the last round.
    """

    seconds: Mapping[str, list[float]]
    results: Mapping[str, Any]

    def median(self, name: str) -> float:
        """Return the median CPU seconds of an action."""
        return statistics.median(self.seconds[name])

    def best(self, name: str) -> float:
        """Return the least CPU seconds of an action: what it takes where nobody disturbs it."""
        return min(self.seconds[name])

    def ratio(self, name: str, other: str) -> float:
        """Return how many times longer `name` takes than `other`: the median over the rounds."""
        pairs = zip(self.seconds[name], self.seconds[other], strict=True)
        return statistics.median(one / two for one, two in pairs)


def race(actions: Mapping[str, Action], rounds: int = ROUNDS) -> Race:
    """Time actions side by side; one round before is not counted (it loads compiled code)."""
    seconds: dict[str, list[float]] = {name: [] for name in actions}
    results: dict[str, Any] = {name: action() for name, action in actions.items()}
    for _ in range(rounds):
        for name, action in actions.items():
            spent, results[name] = timed(action)
            seconds[name].append(spent)
    return Race(seconds, results)


def timed(action: Action) -> tuple[float, Any]:
    """Return the CPU seconds of one call, and its result."""
    began = time.process_time()
    result = action()
    return time.process_time() - began, result


def peak_bytes(action: Action) -> int:
    """Return by how much a call raises the memory of a process at most (bytes).

    The call is made in a forked child, whose high-water mark starts at what the parent holds.
    """
    _return_free_memory()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        before = _high_water()
        action()
        os.write(writing, str(_high_water() - before).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    if not answer:
        raise RuntimeError("the measured call failed")
    return int(answer)


def _return_free_memory() -> None:
    """Leave no freed memory in the allocator, which a child could use without being seen."""
    gc.collect()
    library = ctypes.CDLL(None)
    if hasattr(library, "malloc_trim"):
        library.malloc_trim(0)


def _high_water() -> int:
    return _bytes(resource.getrusage(resource.RUSAGE_SELF))


def _bytes(usage: resource.struct_rusage) -> int:
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


@dataclass(frozen=True)
class Finished:
    """A program that ended well: CPU seconds, seconds on the clock, standard output.

    `peak` is the most memory (bytes) that this program or one before it took.
    """

    cpu: float
    clock: float
    output: str
    peak: int


def program(command: Sequence[str], **environment: str) -> Finished:
    """Run a program and wait for it.

    Raises
    ------
    RuntimeError
        It failed; says what it wrote on standard error.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    run = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    clock = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode:
        raise RuntimeError(f"{command[0]} failed: {run.stderr.strip()[-500:]}")
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Finished(cpu, clock, run.stdout, _bytes(after))
