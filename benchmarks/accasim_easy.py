"""EASY of AccaSim on a plain SWF file, run by the Python that has it.

Takes the file and the processors. Prints as JSON the CPU seconds of its simulation, those of its
parser alone on the same lines, and the jobs it dispatched. It reads as it goes, so the difference
of the two is what simulating takes.
"""

import collections
import collections.abc
import importlib
import json
import sys
import tempfile
import time
from pathlib import Path

# AccaSim 1.1.3 imports from `collections` what Python 3.10 took out of it.
for moved in ("Iterable", "Mapping", "MutableMapping", "Sequence"):
    if not hasattr(collections, moved):
        setattr(collections, moved, getattr(collections.abc, moved))

MODULES = (
    "accasim.base.allocator_class",
    "accasim.base.scheduler_class",
    "accasim.base.simulator_class",
    "accasim.utils.reader_class",
)
"""Only its own environment has them, and only after the lines above."""


def main(workload: str, processors: int, folder: Path) -> None:
    """Simulate once; its schedule goes to a file, its other output is turned off."""
    allocators, schedulers, simulators, readers = map(importlib.import_module, MODULES)
    machine = folder / "machine.json"
    machine.write_text(
        json.dumps(
            {
                "groups": {"node": {"core": 1}},
                "resources": {"node": processors},
                "equivalence": {"processor": {"core": 1}},
                "start_time": 0,
            }
        )
    )
    simulator = simulators.Simulator(
        workload,
        str(machine),
        schedulers.EASYBackfilling(allocators.FirstFit()),
        RESULTS_FOLDER_PATH=str(folder),
        LOG_LEVEL="ERROR",
        statistics_output=False,
        show_statistics=False,
    )
    began = time.process_time()
    simulator.start_simulation()
    simulated = time.process_time() - began
    parser = readers.DefaultWorkloadParser()
    began = time.process_time()
    for line in Path(workload).read_text().splitlines():
        parser.parse_line(line)
    parsed = time.process_time() - began
    schedule = next(folder.glob("sched-*")).read_text()
    print(json.dumps({"simulate": simulated, "parse": parsed, "jobs": schedule.count("\n")}))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        main(sys.argv[1], int(sys.argv[2]), Path(temporary))
