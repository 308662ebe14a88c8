"""Many mutated files, one after the other, against one reader."""

from __future__ import annotations

import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.fuzz.mutation import mutated
from tests.fuzz.targets import Target

__all__ = ["Campaign", "Finding"]

SLOWEST = 1.0  # s of the processor that a small file may take
RETRIES = 3  # whatever is done for the first time is slow once


@dataclass(frozen=True)
class Finding:
    """A file that a reader mistreats, and how."""

    target: str
    number: int
    data: bytes
    problem: str

    def save(self, folder: Path) -> Path:
        """Keep the file, to become a test."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.target}-{self.number}"
        path.write_bytes(self.data)
        path.with_suffix(".txt").write_text(self.problem, "utf-8")
        return path


@dataclass
class Campaign:
    """Files number `first`, `first + 1`, ... of a target; the same seed, the same files."""

    target: Target
    seed: int = 0
    files: int = 0
    accepted: int = 0
    slowest: float = 0.0
    findings: list[Finding] = field(default_factory=list)

    def run(self, *, files: int | None = None, seconds: float | None = None) -> None:
        """Try so many files, or for so long."""
        end = time.monotonic() + (seconds or 0)
        last = self.files + (files or 0)
        while (files is None or self.files < last) and (seconds is None or time.monotonic() < end):
            self._try(self.files)
            self.files += 1

    def file(self, number: int) -> bytes:
        """Mutated file with this number."""
        return mutated(Random(f"{self.seed} {self.target.name} {number}"), self.target.seeds)

    def _try(self, number: int) -> None:
        data = self.file(number)
        began = time.process_time()
        try:
            self.accepted += self.target.check(data, number)
        except Exception:  # noqa: BLE001  whatever it is, it is a finding
            self._found(number, data, traceback.format_exc())
        took = time.process_time() - began
        if took > SLOWEST:
            took = min(took, *(self._time(data, number) for _ in range(RETRIES)))
            if took > SLOWEST:
                self._found(number, data, f"takes {took:.1f} s")
        self.slowest = max(self.slowest, took)

    def _time(self, data: bytes, number: int) -> float:
        began = time.process_time()
        self.target.check(data, number)
        return time.process_time() - began

    def _found(self, number: int, data: bytes, problem: str) -> None:
        self.findings.append(Finding(self.target.name, number, data, problem))
