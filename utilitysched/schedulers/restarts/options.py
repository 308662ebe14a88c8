"""Options of holes and priced restarts, which every list scheduler and ``ga`` take."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from swfx import InputError
from swfx.base.configured import Configured, flag, number, seconds, whole
from utilitysched.model.restarts import RestartTerms
from utilitysched.model.scheduler import Scheduler

_ANY = (0.0, 1e18)
_SHARE = (0.0, 1.0)
_HOUR = 3600.0


@dataclass(frozen=True, kw_only=True)
class RestartOptions(Configured):
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

    holes: bool = flag()
    restarts: bool = flag()
    kills: int = whole(3, _ANY)
    theta: float = number(0.4, _ANY)
    hole_alpha: float = number(0.5, _SHARE)
    hole_tau: float = seconds(43200.0, _ANY)
    horizon: float = number(2.0, _ANY)
    protection: float = seconds(300.0, _ANY)
    kill_age: float = seconds(43200.0, _ANY)
    kill_area: float = number(500.0, _ANY)

    @classmethod
    def split(cls, options: Mapping[str, str], source: str) -> tuple[Self, dict[str, str]]:
        """Return these options, and the others.

        Raises
        ------
        InputError
            A value that does not fit, or an option of what is not asked for.
        """
        names = cls.defaults()
        own = {name: text for name, text in options.items() if name in names}
        made = cls.from_text(",".join(f"{name}={text}" for name, text in own.items()))
        needless = [name for name in own if name not in ("holes", "restarts")]
        if needless and not made.any:
            raise InputError(
                "nobody is killed",
                source=source,
                field=needless[0],
                remedy="give holes=true or restarts=true, too",
            )
        return made, {name: text for name, text in options.items() if name not in names}

    def around(self, scheduler: Scheduler, label: str) -> Scheduler:
        """Return the scheduler on these terms.

        Raises
        ------
        InputError
            It preempts jobs itself, keeps reservations, or follows a log.
        """
        if not self.any:
            return scheduler
        field = "holes" if self.holes else "restarts"
        if scheduler.preempts or scheduler.label == "recorded":
            raise InputError(
                f"{scheduler.label} decides itself who is stopped",
                source=label,
                field=field,
                remedy="leave it out",
            )
        if scheduler.keeps_reservations:
            raise InputError(
                "reservations cannot be kept where processors are taken back",
                source=label,
                field=field,
                remedy="add replan=true",
            )
        # numba is imported when such a scheduler is made, not when its options are read
        from utilitysched.schedulers.restarts.scheduler import RestartingScheduler  # noqa: PLC0415

        return RestartingScheduler(scheduler, self, label)

    @property
    def any(self) -> bool:
        """Whether processors are ever taken back."""
        return self.holes or self.restarts

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
