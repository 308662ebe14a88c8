"""Money of a market in command: accounts of a ledger hold for jobs that come, and pay for runs."""

import json
import math
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple, Self

from swfx import InputError, UtilityFunction, open_workload
from swfx.accounting.annotations import Annotations, read_comment
from swfx.base.atomic import atomic_write
from utilitysched.market.quote import WORTHLESS
from utilitysched.model.scheduler import Scheduler
from utilitysched.runs.snapshot import Snapshot
from utilitysched_centre.accounts import Account, Book, Claim, Claims, OverdraftError, Stand
from utilitysched_centre.accounts.claims import upwards
from utilitysched_slurm.accounting import (
    AccountedRun,
    Accounting,
    of_one_job,
    read_runs,
    runs_of,
)
from utilitysched_slurm.dues import LISTED, REFERENCE, Due, ToldJob, priced
from utilitysched_slurm.holds import HoldRule
from utilitysched_slurm.journal import RECENT, date_of, grown, keep, said_as_comment
from utilitysched_slurm.open_runs import ASKED, CHARGED, HELD, OpenRun, OpenRuns
from utilitysched_slurm.pivots import LivePivots
from utilitysched_slurm.queue import Look
from utilitysched_slurm.reading import SlurmJob

LISTING = "charged.txt"
"""Every run that was charged, with the reference, first submission and curve it was charged by."""

FORGOTTEN = 600.0
"""s for which a job must be gone, while accounting answers, before it is taken to be forgotten."""

_BATCH = "charging.txt"
"""What is being charged, for the reader."""


class Settlement(NamedTuple):
    """What settling has led to.

    Attributes
    ----------
    charged : int
        Runs that were charged.
    owed : tuple of str
        Runs that are over and whose accounts do not have what they cost, by reference.
    unreadable : tuple of str
        Lines of accounting that cannot be read: their jobs are charged once they can.
    """

    charged: int = 0
    owed: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()


class Treasury:
    """Holds of jobs at their admission, and charges for their runs in the end.

    Parameters
    ----------
    folder : Path
        For its files: what is open, and a listing of what was charged. Only one may be at it.
    book : Book
        The ledger.
    rule : HoldRule
        By which mechanism jobs pay, and how much is held for them.
    accounting : Accounting
        Tells of runs that are over.
    cluster : str
        What Slurm calls itself.
    echo : callable
        Takes lines for people.

    Raises
    ------
    InputError
        The folder cannot be written, or is of another kind.
    """

    def __init__(
        self,
        folder: Path,
        book: Book,
        rule: HoldRule,
        accounting: Accounting,
        cluster: str,
        echo: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.book, self.rule = book, rule
        self._folder, self._accounting, self._cluster = folder, accounting, cluster
        self._recorder: LivePivots | None = None
        self._echo, self._trouble = echo, ""
        self._gone: dict[str, float] = {}
        with ExitStack() as begun:
            folder.mkdir(parents=True, exist_ok=True)
            self._listing = begun.enter_context(grown(folder / LISTING, "|".join(LISTED)))
            self._runs = OpenRuns(folder)
            begun.callback(self._runs.close)
            self._listed = self._listed_before()
            self._files = begun.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files; the ledger stays open."""
        self._files.close()

    def curves(self) -> Iterator[tuple[str, UtilityFunction | None, float]]:
        """Yield what users call jobs, the curves by which they were and will be charged, and times.

        The times are first submissions (s); NaN where the listing may have another.

        Runs after which the job went on are worth nothing, whatever was bid.
        """
        for run in self._runs:
            yield run.key, run.annotations.utility, run.submit
        for line in (self._folder / LISTING).read_text("utf-8").split("\n")[1:-1]:
            cells = line.split("|")
            curve = read_comment(cells[LISTED.index("Comment")])[0].utility
            if curve != WORTHLESS:
                yield cells[0], curve, math.nan

    def watching(self, scheduler: Scheduler) -> Scheduler:
        """Return who decides as a scheduler does, and notes what jobs will pay for by pivots."""
        if self.rule.made.pivots is None:
            return scheduler
        self._recorder = LivePivots(scheduler, self.rule.made.pivots)
        return self._recorder

    def decided(self, look: Look) -> None:
        """Note what the starts of a decision cost the others; the latest of a run counts."""
        starts = look.decision.starts.tolist()
        if self._recorder is None or not starts:
            return
        noted = []
        for job, pivot in zip(starts, self._recorder.taken(starts), strict=True):
            if runs := self._runs.of(look.keys[job]):
                noted.append(runs[max(runs)]._replace(pivot=json.dumps(pivot)))
        self._runs.put(noted)

    def has(self, job: SlurmJob) -> bool:
        """Return whether a job's next or present run has its hold."""
        run = self._known(job)
        return run is not None and run.state != ASKED

    def admit(
        self, jobs: Sequence[tuple[SlurmJob, Annotations]], moment: Callable[[], Snapshot]
    ) -> dict[str, str]:
        """Hold what jobs will pay, and return of those whose accounts cannot why, in a sentence.

        What is held already stays as it is; a job that was requeued gets a hold for its next run.
        A job that runs in spite of all is charged in spite of all. Where the ledger does not
        answer, nobody can pay.

        Parameters
        ----------
        jobs : sequence of (SlurmJob, Annotations)
            Jobs, and what they said when they were first seen.
        moment : callable
            Returns the queue without them.
        """
        refused: dict[str, str] = {}
        wanted = []
        for job, annotations in jobs:
            try:
                wanted.append((job, self._expected(job, annotations)))
            except InputError as error:
                refused[job.key] = str(error)
        try:
            wanted = self._never_charged(wanted)
        except InputError as error:
            return {job.key: str(error) for job, _ in jobs}
        unknown = [(job, run) for job, run in wanted if not run.basis]
        held = self._with_holds(unknown, moment, refused)
        requested = [run for _, run in wanted if run.basis and run.state == ASKED]
        self._runs.put(held)  # first, so that the next of us holds the same
        refused |= self._hold([*requested, *held])
        out = {job.key for job, _ in jobs if job.key in refused and job.waits}
        self._runs.drop([run for run in [*requested, *held] if run.key in out])
        return refused

    def amend(self, job: SlurmJob, annotations: Annotations, moment: Callable[[], Snapshot]) -> str:
        """Hold more for a job on other terms, if it may cost more, or return why that cannot be."""
        run = self._known(job)
        if run is None:
            return ""
        after = run._replace(said=said_as_comment(annotations))
        refused: dict[str, str] = {}
        for held in self._with_holds([(job, after)], moment, refused):
            after = held._replace(units=max(held.units, run.units))
            if after.units > run.units:
                refused |= self._hold([after], more=True)
        if not refused:
            before = self._runs.of(job.key).values()
            self._runs.put([*(each._replace(said=after.said) for each in before), after])
        return refused.get(job.key, "")

    def settle(
        self,
        now: float,
        jobs: Sequence[SlurmJob],
        since: Callable[[str, float], float] = lambda _, submit: submit,
    ) -> Settlement:
        """Charge the runs that are over, each once, and give back what is held for the others.

        Where ledger or accounting does not answer, that is left for the next time. A job that Slurm
        does not show, and of which accounting has neither an end nor a run that goes on, was
        forgotten by a controller that was killed: `FORGOTTEN` s later it is over, unless accounting
        has yet to hear of something. A task of an array of which others still wait was cancelled
        with them waiting, which Slurm tells nobody: it is over as soon as it is gone.

        Parameters
        ----------
        now : float
            When Slurm showed them (s).
        jobs : sequence of SlurmJob
            All that Slurm shows, of all partitions.
        since : callable
            Tells of a job, by what users call it and its first submission (s), when its curve
            began (s): of one that had to wait for others, when it could start.
        """
        there = {job.key: job for job in jobs if not job.over}
        awaited = [runs for runs in self._runs.jobs() if self._is_awaited(runs, there)]
        if not awaited:
            self._gone.clear()
            return Settlement()
        try:
            self._doubt(now)
            arrays = self._parted(awaited, there)
            known = read_runs(self._accounting.accounted(sorted({runs[0].key for runs in awaited})))
            unclear = _unclear(known)
            standing = [
                self._told(runs, known, there)
                for runs in awaited
                if not unclear.keys() & {runs[0].key, runs[0].key.partition("_")[0]}
            ]
            ran = {job.key: job for job in jobs if job.over and job.has_run}
            standing = [each for each in standing if not self._is_late(each, ran)]
            forgotten = {} if "" in unclear else self._forgotten(now, standing)
            ended = (each for each in standing if each.is_over or each.is_withdrawn(arrays))
            over = {each.runs[0].job for each in ended} | forgotten.keys()
            due = []
            for each in standing:
                first = each.runs[0]
                due += each.due(since(first.key, first.submit), over=first.job in over)
            done = self._settled(due, over)
        except InputError as error:
            self._gone.clear()
            self._tell(f"{error}: charged later")
            return Settlement()
        for job in sorted(forgotten.keys() - {name.rpartition("#")[0] for name in done.owed}):
            self._echo(
                f"job {forgotten[job]}: Slurm has forgotten it; what was held for it is given back"
            )
        self._tell(f"owed: {', '.join(done.owed)}" if done.owed else "")
        return done._replace(unreadable=tuple(unclear.values()))

    @property
    def open(self) -> OpenRuns:
        """Open runs, with charged runs of jobs that go on."""
        return self._runs

    def held_money(self) -> float:
        """Return what is held for jobs, of all accounts (in the ledger's unit)."""
        units = sum(run.units for run in self._runs if run.state == HELD)
        return float(units / 10**self.book.money.decimals)

    def _tell(self, trouble: str) -> None:
        """Say what is the matter, once."""
        if trouble and trouble != self._trouble:
            self._echo(trouble)
        self._trouble = trouble

    def _known(self, job: SlurmJob) -> OpenRun | None:
        """Return the next run of a job, or the present one, if it was admitted."""
        runs = self._runs.of(job.key)
        if not runs or not runs[0].is_of(job.submit, job.restarts):
            return None
        return runs.get(job.restarts - runs[0].before)

    def _expected(self, job: SlurmJob, annotations: Annotations) -> OpenRun:
        """Return the run that a waiting job will make next, as it is known."""
        if job.account in {"", "(null)"}:
            raise InputError("no account pays for it", remedy="submit it with --account")
        runs = self._runs.of(job.key)
        if not runs or not runs[0].is_of(job.submit, job.restarts):
            return OpenRun.first(
                self._cluster, job.key, job.submit, job.restarts, job.account, annotations
            )
        number = job.restarts - runs[0].before
        return runs.get(number) or runs[0].numbered(number)

    def _never_charged(
        self, wanted: Sequence[tuple[SlurmJob, OpenRun]]
    ) -> list[tuple[SlurmJob, OpenRun]]:
        """Return next runs with numbers that nobody paid for.

        A controller that was killed may forget that a job has ended, and run it again: what was
        charged or listed stays, and the repeated run has the next number.
        """
        first = [run.reference for _, run in wanted if not (run.number or run.basis)]
        stands = self.book.standing(first)
        settled = {name for name in first if self._is_settled(name, stands.get(name))}
        return [
            (job, self._repeated(run) if run.reference in settled else run) for job, run in wanted
        ]

    def _is_settled(self, reference: str, stand: Stand | None) -> bool:
        """Return whether the ledger charged a run, or the listing has it: some cost nothing."""
        return reference in self._listed or (stand is not None and stand.charged != 0)

    def _repeated(self, run: OpenRun) -> OpenRun:
        """Return the run of a job that is made again after so many that were settled."""
        paid = []
        while self._is_settled(
            run.reference, self.book.standing([run.reference]).get(run.reference)
        ):
            paid.append(run._replace(state=CHARGED, basis="charged"))
            run = run.numbered(run.number + 1)
        before = run.before - run.number
        self._runs.put([each._replace(before=before) for each in paid])
        return run._replace(before=before)

    def _with_holds(
        self,
        unknown: Sequence[tuple[SlurmJob, OpenRun]],
        moment: Callable[[], Snapshot],
        refused: dict[str, str],
    ) -> list[OpenRun]:
        """Return runs with their holds, and note runs that the ledger cannot hold for."""
        jobs = [job for job, _ in unknown]
        curves = [run.annotations.utility for _, run in unknown]
        holds = self.rule.holds(jobs, curves, moment) if jobs else []
        held = []
        for (job, run), hold in zip(unknown, holds, strict=True):
            try:
                units = upwards(hold.amount, self.book.money)
            except InputError as error:
                refused[job.key] = str(error)
            else:
                held.append(run._replace(units=units, basis=hold.basis))
        return held

    def _hold(self, runs: Iterable[OpenRun], *, more: bool = False) -> dict[str, str]:
        """Hold what is to be held, or raise it, account by account; return what cannot be."""
        accounts: dict[str, list[OpenRun]] = {}
        for run in runs:
            accounts.setdefault(run.account, []).append(run)
        refused: dict[str, str] = {}
        for mine in accounts.values():
            self._hold_of(mine, refused, more=more)
        return refused

    def _hold_of(self, runs: list[OpenRun], refused: dict[str, str], *, more: bool) -> None:
        """Hold for runs of one account, in order, up to its balance."""
        try:
            claims = self._claims("", [(run, run.units, None) for run in runs])
            self.book.hold_run(claims, more=more)
        except OverdraftError as error:
            short = error.shortages[0]
            fits, rest = _affordable(runs, short.balance + short.limit)
            left = short.balance + short.limit - sum(run.units for run in fits)
            refused.update((run.key, self._cannot_pay(run, left)) for run in rest)
            if fits and rest:
                self._hold_of(fits, refused, more=more)
        except InputError as error:
            if len(runs) == 1:
                refused[runs[0].key] = str(error)
            else:
                half = len(runs) // 2
                self._hold_of(runs[:half], refused, more=more)
                self._hold_of(runs[half:], refused, more=more)
        else:
            self._runs.put(run._replace(state=HELD) for run in runs)

    def _cannot_pay(self, run: OpenRun, left: int) -> str:
        money = self.book.money
        return (
            f"account:{run.account} cannot pay: {money.text(run.units)} are to be held"
            f" ({run.basis}), {money.text(max(0, left))} are left"
        )

    def _is_awaited(self, runs: Mapping[int, OpenRun], there: Mapping[str, SlurmJob]) -> bool:
        """Return whether accounting has to be asked about a job."""
        job = self._shown(runs, there)
        return job is None or any(
            run.state != CHARGED and number < job.restarts - run.before
            for number, run in runs.items()
        )

    @staticmethod
    def _shown(runs: Mapping[int, OpenRun], there: Mapping[str, SlurmJob]) -> SlurmJob | None:
        job = there.get(runs[0].key)
        return job if job is not None and runs[0].is_of(job.submit, job.restarts) else None

    def _is_late(self, job: ToldJob, ran: Mapping[str, SlurmJob]) -> bool:
        """Return whether Slurm shows that a job ran and accounting has yet to hear of any run.

        A task counts as one that never ran until then, once its array is cancelled.
        """
        return not any(line.ran for line in job.lines) and self._shown(job.runs, ran) is not None

    def _told(
        self,
        runs: Mapping[int, OpenRun],
        known: Mapping[str, list[AccountedRun]],
        there: Mapping[str, SlurmJob],
    ) -> ToldJob:
        """Return a job with the lines of accounting on it."""
        key, alive = runs[0].key, self._shown(runs, there) is not None
        lines, another = of_one_job(runs[0].submit, runs_of(key, known))
        return ToldJob(runs, lines, alive, not alive and (another or key in there))

    def _parted(
        self, awaited: Iterable[Mapping[int, OpenRun]], there: Mapping[str, SlurmJob]
    ) -> Collection[tuple[str, float]]:
        """Return arrays, by number and submission (s), of which tasks wait while others are gone.

        None where accounting, asked next, may have yet to hear that those ran.
        """
        waiting = {(str(job.array), job.submit) for job in there.values() if job.array}
        gone = {
            (runs[0].key.partition("_")[0], runs[0].submit)
            for runs in awaited
            if self._shown(runs, there) is None
        }
        parted = waiting & gone
        return parted if parted and self._accounting.is_current() else ()

    def _forgotten(self, now: float, jobs: Iterable[ToldJob]) -> dict[str, str]:
        """Return the keys of jobs of which nobody will tell any more, by `OpenRun.job`."""
        gone = {each.runs[0].job: each.runs[0].key for each in jobs if each.is_silent}
        self._gone = {job: self._gone.get(job, now) for job in gone}
        return {job: gone[job] for job, since in self._gone.items() if now - since >= FORGOTTEN}

    def _doubt(self, now: float) -> None:
        """Have jobs be gone for a while anew if accounting, asked next, may tell too little."""
        ripe = any(now - since >= FORGOTTEN for since in self._gone.values())
        if ripe and not self._accounting.is_current():
            self._gone.clear()

    def _settled(self, due: Sequence[Due], over: Collection[str]) -> Settlement:
        """Charge, list what is charged, and forget jobs that are over: it can stop at any step."""
        charged, owed = self._charge(due)
        paid = [each for each in due if each.run.reference not in owed]
        self._list(paid)
        self._runs.put(each.run._replace(state=CHARGED) for each in paid)
        waiting = {each.run.job for each in due if each.run.reference in owed}
        done = {*over} - waiting
        self._runs.drop([run for run in self._runs if run.job in done])
        for reference in list(self._listed)[:-RECENT]:
            del self._listed[reference]
        return Settlement(charged, tuple(sorted(owed)))

    def _charge(self, due: Sequence[Due]) -> tuple[int, set[str]]:
        """Post what runs cost, and return how many were charged and which could not be."""
        stands = self.book.standing([each.run.reference for each in due])
        new = [
            each
            for each in due
            if not self._is_settled(each.run.reference, stands.get(each.run.reference))
        ]
        units = self._units(new)
        owing = []
        for each in new:
            stand, cost = stands.get(each.run.reference), units.get(each.run.reference, 0)
            if cost or (stand is not None and stand.held):
                owing.append((each.run, cost, each.line))
        claims = self._claims(self.rule.made.label, owing)
        owed = self._post(claims)
        self._give_back(run.reference for run, cost, _ in owing if not cost)
        return sum(each.line is not None for each in new) - len(owed), owed

    def _give_back(self, references: Iterable[str]) -> None:
        """Give back what is still held: a ledger takes a second posting of nothing for the first.

        A number of a run has two where a hold was given back before, and held again since.
        """
        for name, stand in self.book.standing(list(references)).items():
            if stand.held:
                self.book.refund(name, memo=f"slurm:{self._cluster}")

    def _post(self, claims: Claims) -> set[str]:
        """Post all claims at once, or one by one if an account cannot pay all its claims."""
        if not claims.jobs:
            return set()
        memo, owed = f"slurm:{self._cluster}", set()
        try:
            self.book.post(claims, memo=memo)
        except InputError:
            for claim in claims.jobs:
                try:
                    self.book.post(claims._replace(jobs=[claim]), memo=memo)
                except InputError:
                    owed.add(claim.reference)
        return owed

    def _units(self, due: Sequence[Due]) -> dict[str, int]:
        """Return what runs cost by the mechanism (minor units): as `bill` would of the listing."""
        rows = [each.row for each in due if each.line is not None and each.line.lasted]
        if not rows:
            return {}
        path = self._folder / _BATCH
        with atomic_write(path) as file:
            text = "\n".join(["|".join(LISTED), *map("|".join, rows)])
            file.write(f"{text}\n".encode())
        workload = open_workload(f"slurm,requeue=each:{path}").workload
        path.unlink()
        pivots = {each.run.reference: each.run.pivots for each in due if each.counts}
        return priced(workload, self.rule, pivots, self.book)

    def _claims(
        self, mechanism: str, owing: Sequence[tuple[OpenRun, int, AccountedRun | None]]
    ) -> Claims:
        """Return what runs owe (minor units): each belongs to when it ended, or was submitted."""
        months = [date_of(line.end if line else run.submit)[:7] for run, _, line in owing]
        still = {month: self.book.open_month(month) for month in set(months)}
        claims = []
        for (run, units, line), month in zip(owing, months, strict=True):
            who = (line.user, run.account) if line else ("", "")
            number = int(run.key.partition("_")[0])
            payer = Account("account", run.account)
            claims.append(Claim(run.reference, number, *who, still[month], units, payer))
        return Claims(mechanism, claims)

    def _list(self, paid: Iterable[Due]) -> None:
        """Add runs that were charged to the listing, each once."""
        for each in paid:
            if each.line is not None and each.run.reference not in self._listed:
                self._listing.write("|".join(each.row) + "\n")
                self._listed[each.run.reference] = None
        keep(self._listing)

    def _listed_before(self) -> dict[str, None]:
        """Return the runs listed last, after earlier ones that are open: none is listed again."""
        known = {run.reference for run in self._runs}
        last: deque[str] = deque(maxlen=RECENT)
        opened = []
        with (self._folder / LISTING).open(encoding="utf-8") as file:
            next(file)
            for line in file:
                last.append(line.split("|")[REFERENCE])
                if last[-1] in known:
                    opened.append(last[-1])
        return dict.fromkeys([*opened, *last])


def _unclear(known: Mapping[str, Sequence[AccountedRun]]) -> dict[str, str]:
    """Return a line of accounting that cannot be read of each job, and of each array, with any."""
    lines = {
        key: f"sacct: job {key or 'unknown'}: cannot be read: {'|'.join(run.cells)}"
        for key, runs in known.items()
        for run in runs
        if not run.clear
    }
    return lines | {key.partition("_")[0]: line for key, line in lines.items() if "_[" in key}


def _affordable(runs: Iterable[OpenRun], units: int) -> tuple[list[OpenRun], list[OpenRun]]:
    """Return the runs, in order, for which this amount (minor units) can hold, and the rest."""
    fits, rest = [], []
    for run in runs:
        if run.units <= units:
            units -= run.units
            fits.append(run)
        else:
            rest.append(run)
    return fits, rest
