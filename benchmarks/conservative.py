"""Conservative backfilling with reservations kept."""

from collections.abc import Iterator

from benchmarks.logs import BLUE, check_starts, log, loop
from benchmarks.row import Row
from benchmarks.timing import race


def measure() -> Iterator[Row]:
    """Compare the event loop with that of EASY on SDSC-BLUE."""
    raced = race({text: loop(log(BLUE), text) for text in ("easy", "conservative")})
    for text, start in raced.results.items():
        check_starts(BLUE, text, start)
    note = f"{raced.median('conservative'):.2f} s"
    yield Row("conservative on SDSC-BLUE, to easy", raced.ratio("conservative", "easy"), "x", 25,
              note=note)  # fmt: skip
