"""`python -m tests.fuzz.guided`: files that atheris makes to reach code not reached before."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.fuzz import FINDINGS

LONGEST = 10_000  # bytes


def main() -> None:
    """Run for a while, beginning with the files of all targets."""
    import atheris

    parser = argparse.ArgumentParser("python -m tests.fuzz.guided", description=__doc__)
    parser.add_argument("--seconds", type=int, default=600)
    options = parser.parse_args()
    with atheris.instrument_imports(include=["swfx"], exclude=["swfx.kernels"]):  # numba's own
        from tests.fuzz.targets import targets
    readers = sorted(targets().items())

    def check(data: bytes) -> None:
        """Check a file whose first two bytes say by which reader, and how, it is read."""
        if len(data) > 2:
            readers[data[0] % len(readers)][1].check(data[2:], data[1])

    FINDINGS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for position, (name, target) in enumerate(readers):
            for number, seed in enumerate(target.seeds):
                Path(folder, f"{name}-{number}").write_bytes(bytes([position, number]) + seed)
                target.check(seed, number)  # compiles, which takes longer than a file may
        time = [f"-max_total_time={options.seconds}", "-timeout=5"]
        size = [f"-max_len={LONGEST}", "-malloc_limit_mb=1024", "-rss_limit_mb=0"]  # atheris grows
        output = [f"-artifact_prefix={FINDINGS}/", "-print_final_stats=1"]
        atheris.Setup([sys.argv[0], *time, *size, *output, folder], check)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
