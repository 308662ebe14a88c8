"""Options of holes and priced restarts, which every list scheduler and ``ga`` take."""

from dataclasses import dataclass

from swfx import InputError
from swfx.base.configured import SHARE, flag, number, seconds, whole
from utilitysched.model.restarts import RestartTerms
from utilitysched.model.scheduler import Scheduler
from utilitysched.schedulers.speculation.around import AroundOptions

_ANY = (0.0, 1e18)
_HOUR = 3600.0


@dataclass(frozen=True, kw_only=True)
class RestartOptions(AroundOptions):
    """Terms on which re-runnable jobs run in holes, and are killed for others.

    Attributes
    ----------
    holes : bool
        Start re-runnable jobs softly on processors that stand idle in front of a reservation.
    restarts : bool
        Kill re-runnable jobs for jobs that are worth it, at a price.
    kills : int
        How often one job may be killed; after that it runs to its end.
    theta : float
        Share of what a processor-second earns at which lost work is charged.
    hole_alpha, hole_tau : float
        Weight of the value that is lost by a delay of so long (s) where holes are filled.
    horizon : float
        A displacing job's gain is over so many times the wait expected without, and 10 minutes.
    protection : float
        For how long who displaced others is not killed (s).
    kill_age : float
        Longest run that is killed of a job without checkpoints (s).
    kill_area : float
        Most that one kill loses (processor-hours).

    Examples
    --------
    >>> RestartOptions.from_text("holes=true,kills=1").kills
    1
    """

    name = "restarts"
    asked_by = ("holes", "restarts")
    needless = "nobody is killed", "give holes=true or restarts=true, too"

    holes: bool = flag()
    restarts: bool = flag()
    kills: int = whole(3, _ANY)
    theta: float = number(0.4, _ANY)
    hole_alpha: float = number(0.5, SHARE)
    hole_tau: float = seconds(43200.0, _ANY)
    horizon: float = number(2.0, _ANY)
    protection: float = seconds(300.0, _ANY)
    kill_age: float = seconds(43200.0, _ANY)
    kill_area: float = number(500.0, _ANY)

    def _around(self, scheduler: Scheduler, label: str) -> Scheduler:
        if scheduler.keeps_reservations:
            raise InputError(
                "reservations cannot be kept where processors are taken back",
                source=label,
                field=self.asking,
                remedy="add replan=true",
            )
        # numba is imported when such a scheduler is made, not when its options are read
        from utilitysched.schedulers.restarts.scheduler import RestartingScheduler  # noqa: PLC0415

        return RestartingScheduler(scheduler, self, label)

    def terms(self, *, valued: bool) -> RestartTerms:
        """Return the options as the kernels take them."""
        return RestartTerms(
            self.holes,
            self.restarts,
            valued,
            self.kills,
            self.theta,
            self.hole_alpha,
            self.hole_tau,
            self.horizon,
            self.protection,
            self.kill_age,
            self.kill_area * _HOUR,
        )
