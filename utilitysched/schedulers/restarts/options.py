"""Options of holes and priced restarts, which every list scheduler and ``ga`` take."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from swfx import InputError
from swfx.base.configured import SHARE, Configured, flag, number, seconds, whole
from utilitysched.model.restarts import RestartTerms
from utilitysched.model.scheduler import Scheduler

_ANY = (0.0, 1e18)
_HOUR = 3600.0
_SWITCHES = "holes", "restarts"


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
    hole_alpha: float = number(0.5, SHARE)
    hole_tau: float = seconds(43200.0, _ANY)
    horizon: float = number(2.0, _ANY)
    protection: float = seconds(300.0, _ANY)
    kill_age: float = seconds(43200.0, _ANY)
    kill_area: float = number(500.0, _ANY)

    @classmethod
    def split(cls, options: Mapping[str, str], source: str) -> tuple[Self, dict[str, str]]:
        """Return the options of restarts, and the other options of a scheduler.

        Raises
        ------
        InputError
            A value that does not fit, or an option that has no effect without holes and restarts.
        """
        names = cls.defaults()
        own = {name: text for name, text in options.items() if name in names}
        settings = cls.from_texts(own)
        terms = [name for name in own if name not in _SWITCHES]
        if terms and not settings.switch:
            raise InputError(
                "nobody is killed",
                source=source,
                field=terms[0],
                remedy="give holes=true or restarts=true, too",
            )
        return settings, {name: text for name, text in options.items() if name not in names}

    @property
    def switch(self) -> str:
        """The first option that is switched on, ``holes`` or ``restarts``; empty for neither."""
        return next((name for name in _SWITCHES if getattr(self, name)), "")

    def around(self, scheduler: Scheduler, label: str) -> Scheduler:
        """Return the scheduler with holes and restarts, itself if both are off.

        Raises
        ------
        InputError
            It preempts jobs itself, decides nothing, or keeps reservations that this would break.
        """
        if not self.switch:
            return scheduler
        problem, field, remedy = "", self.switch, "leave it out"
        if scheduler.preempts or not scheduler.decides:
            problem = f"{scheduler.label} decides itself who is stopped"
        elif scheduler.options.get("reserve"):
            problem = "jobs that wait for idle time are not stopped for others"
            field, remedy = "reserve", f"leave it out, or {self.switch}"
        elif scheduler.keeps_reservations:
            problem = "reservations cannot be kept where processors are taken back"
            remedy = "add replan=true"
        if problem:
            raise InputError(problem, source=label, field=field, remedy=remedy)
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
