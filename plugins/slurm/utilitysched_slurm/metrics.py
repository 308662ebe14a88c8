"""Figures of the market in command, as Prometheus reads them, on loopback alone."""

from typing import TYPE_CHECKING, Self

from swfx.base.errors import failed
from swfx.base.missing import importing

if TYPE_CHECKING:
    from utilitysched_slurm.driver import CycleReport

ADDRESS = "127.0.0.1"

CYCLE_TIMES = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
"""s up to which cycles are counted: a cycle may take as long as one waits for the next."""

GAUGES = {
    "queued": "Jobs that wait",
    "running": "Jobs that have processors",
    "left": "Waiting jobs that are left to Slurm, as no plan can express what they wait for",
    "refused": "Waiting jobs whose account cannot pay",
    "held_money": "SU that the ledger holds for jobs of the market",
}
COUNTERS = {
    "released": "Jobs let start",
    "preempted": "Jobs stopped to make room",
    "drift": "Jobs that were not as the market had left them, and were put right",
    "unreadable": "Answers of Slurm that could not be read",
}
"""Figures of each cycle, by the names that its report has."""


class Metrics:
    """Counters and gauges of a driver, and a server that gives them.

    Parameters
    ----------
    port : int
        Of 127.0.0.1; 0 for one that is free.

    Attributes
    ----------
    port : int
        Of the server.

    Raises
    ------
    InputError
        A package is missing, or the port is taken.
    """

    def __init__(self, port: int) -> None:
        with importing("serving metrics", "prometheus-client"):
            import prometheus_client as client  # noqa: PLC0415 - an extra
        registry = client.CollectorRegistry()
        prefix = "utilitysched_slurm_"
        self._gauges = {
            name: client.Gauge(prefix + name, text, registry=registry)
            for name, text in GAUGES.items()
        }
        self._counters = {
            name: client.Counter(prefix + name, text, registry=registry)
            for name, text in COUNTERS.items()
        }
        self._seconds = client.Histogram(
            f"{prefix}cycle_seconds",
            "How long a cycle took",
            registry=registry,
            buckets=CYCLE_TIMES,
        )
        self._last = client.Gauge(
            f"{prefix}last_cycle_timestamp_seconds", "When the last cycle began", registry=registry
        )
        try:
            self._server, self._thread = client.start_http_server(port, ADDRESS, registry)
        except OSError as error:
            where = f"{ADDRESS}:{port}"
            raise failed("cannot be listened on", error, where, "name another port") from error
        self.port = self._server.server_port

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def cycle(self, report: "CycleReport") -> None:
        """Add the figures of a cycle."""
        for name, gauge in self._gauges.items():
            gauge.set(getattr(report, name))
        for name, counter in self._counters.items():
            counter.inc(getattr(report, name))
        self._seconds.observe(report.seconds)
        self._last.set(report.now)
