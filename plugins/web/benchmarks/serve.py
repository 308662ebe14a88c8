"""Fifty users at once of `utilitysched serve`: ``python -m plugins.web.benchmarks.serve``.

How long they wait, and what the server keeps.
"""

import asyncio
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

import httpx2

from benchmarks.row import Row
from utilitysched_web.tokens import issue, signing_key

USERS, SECONDS = 50, 60.0
THINK = 1.0, 3.0
"""Seconds for which somebody reads a page before asking for the next."""

PAGES = ("/", "/bills", "/bills", "/bills/{job}", "/curves", "/quote", "/queue", "/docs")
WARM = 15.0
"""Seconds after which all has been read and compiled that is kept."""

PATIENCE = 60.0
"""Seconds within which a server must have begun, and answers."""
NO_ANSWER = 599


class Visit(NamedTuple):
    """One answer: page, time after the beginning (s), duration (s), HTTP status."""

    page: str
    at: float
    seconds: float
    status: int


def measure() -> Iterator[Row]:
    """Serve the packaged sample, and have users read it."""
    with tempfile.TemporaryDirectory() as folder:
        key_file, port = Path(folder) / "key", _free_port()
        key = signing_key(key_file)
        command = [sys.executable, "-m", "utilitysched", "serve", "--port", str(port), "--quiet"]
        command += ["--key-file", str(key_file), "--state", f"{folder}/state"]
        began = time.monotonic()
        with subprocess.Popen(command) as server:
            try:
                base = f"http://127.0.0.1:{port}"
                asyncio.run(_begun(base))
                ready, spent = time.monotonic() - began, _cpu(server.pid)
                asyncio.run(_warmed(base, key))
                memory: list[tuple[float, int]] = []
                visits = asyncio.run(visit(base, key, USERS, SECONDS, server.pid, memory))
                cpu = _cpu(server.pid) - spent
            finally:
                server.terminate()
    note = f"{ready:.1f} s on the clock, {os.getloadavg()[0]:.0f} others waiting for a processor"
    yield Row("serve, from the start to the first page", spent, "CPU s", 5, note=note)
    yield from _rows(visits, memory, cpu)


def _rows(
    visits: Sequence[Visit], memory: Sequence[tuple[float, int]], cpu: float
) -> Iterator[Row]:
    waited = sorted(each.seconds for each in visits)
    failed = [each for each in visits if each.status >= 400]
    note = f"{len(visits):,} pages, median {1000 * waited[len(waited) // 2]:.0f} ms, on the clock"
    yield Row(f"{USERS} users, p95 of a page", waited[int(0.95 * len(waited))], "s", 1, note=note)
    yield Row(f"{USERS} users, errors", len(failed), "", 0)
    share = f"{100 * cpu / SECONDS:.0f}% of a processor"
    yield Row("CPU time per page", 1000 * cpu / len(visits), "ms", note=share)
    middle, end = ([size for at, size in memory if at >= since] for since in (WARM, SECONDS - WARM))
    note = f"{end[-1] / 2**20:.0f} MiB; the last {WARM:.0f} s to those after the first"
    ratio = median(end) / median(middle[: len(end)])
    slowest = max(PAGES, key=lambda page: _median(visits, page))
    yield Row(f"median of {slowest}, the slowest page", _median(visits, slowest), "s")
    yield Row("memory at the end", ratio, "x", 1.05, note=note)


async def _warmed(base: str, key: bytes) -> None:
    """Wait for the processes that quote: they load and compile before anybody asks."""
    brought = {"authorization": f"Bearer {issue(key, '1', 'user', time.time() + 3600)}"}
    async with httpx2.AsyncClient(base_url=base, headers=brought, timeout=PATIENCE) as client:
        (await client.get("/quote")).raise_for_status()


def _median(visits: Sequence[Visit], page: str) -> float:
    return median([each.seconds for each in visits if each.page == page] or [0.0])


async def _begun(base: str) -> None:
    end = time.monotonic() + PATIENCE
    async with httpx2.AsyncClient(base_url=base) as client:
        while time.monotonic() < end:
            try:
                await client.get("/health")
            except httpx2.TransportError:
                await asyncio.sleep(0.05)
            else:
                return
    raise TimeoutError(f"no server within {PATIENCE:.0f} s")


async def visit(
    base: str,
    key: bytes,
    users: int,
    seconds: float,
    pid: int,
    memory: list[tuple[float, int]],
) -> list[Visit]:
    """Have users read pages for so long; return all answers, and fill in the server's memory."""
    began = time.monotonic()
    reading = [_reader(base, key, number, began, seconds) for number in range(1, users + 1)]
    watching = asyncio.create_task(_watch(pid, began, memory))
    found = await asyncio.gather(*reading)
    watching.cancel()
    memory.append((time.monotonic() - began, _memory(pid)))
    return [each for visits in found for each in visits]


async def _reader(base: str, key: bytes, number: int, began: float, seconds: float) -> list[Visit]:
    """Read pages as user `number` of the sample, one after another."""
    rng = random.Random(number)
    visits: list[Visit] = []
    token = issue(key, str(number), "user", time.time() + 3600)
    brought = {"authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(base_url=base, headers=brought, timeout=PATIENCE) as client:
        bill = await client.get("/bills?format=json")
        jobs = [row["job_id"] for row in bill.json()["jobs"]]
        pages = [page for page in PAGES if jobs or "{job}" not in page]
        while not visits or time.monotonic() < began + seconds:
            now = time.monotonic()
            page = rng.choice(pages)
            try:
                answer = await client.get(page.format(job=rng.choice(jobs or [0])))
                status = answer.status_code
            except httpx2.TransportError:
                status = NO_ANSWER
            took = time.monotonic() - now
            visits.append(Visit(page, now - began + took, took, status))
            await asyncio.sleep(rng.uniform(*THINK))
    return visits


async def _watch(pid: int, began: float, memory: list[tuple[float, int]]) -> None:
    while True:
        memory.append((time.monotonic() - began, _memory(pid)))
        await asyncio.sleep(1.0)


def _memory(pid: int) -> int:
    """Bytes that a process holds."""
    status = Path(f"/proc/{pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return 1024 * int(line.split()[1])


def _cpu(pid: int) -> float:
    """CPU seconds of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


if __name__ == "__main__":
    for row in measure():
        print(row.line(), flush=True)
