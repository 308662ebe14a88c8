"""Simulating one workload under several schedulers: what `simulate` and `demo` share."""

import time
from collections.abc import Iterator, Mapping, Sequence

import utilitysched
from swfx import InputError
from swfx.families.transforms import apply_all, make_transforms
from swfx.families.utilities.registry import make_model
from utilitysched import Schedule
from utilitysched.analysis.metrics import summary
from utilitysched.cli.dependencies import told_dependencies
from utilitysched.cli.plan import Plan, Prepared, Run
from utilitysched.cli.progress import Progress
from utilitysched.cli.record import record
from utilitysched.cli.say import Say, speaker
from utilitysched.cli.steps import told_transformed
from utilitysched.engine.conditions import failures_of, rules_for
from utilitysched.engine.failures import Failures
from utilitysched.engine.valued import ensure, require_machine
from utilitysched.runs import Results, Target, claim, prove_writable, write_run


def check(plan: Plan) -> list[str]:
    """Return the canonical labels of the schedulers.

    Raises
    ------
    InputError
        A scheduler or its option is unknown, two of them are the same, or utility functions cannot
        be drawn, jobs transformed or jobs bumped as asked.
    """
    made = [utilitysched.make_scheduler(name) for name in plan.schedulers]
    labels = [scheduler.label for scheduler in made]
    for name, label in zip(plan.schedulers, labels, strict=True):
        if labels.count(label) > 1:
            raise InputError(f"{name!r} is named twice", field="--scheduler", remedy="once will do")
    if plan.utilities is not None:
        make_model(plan.utilities)
    make_transforms(plan.apply)
    fails = plan.failures is not None
    if plan.failures is not None:
        Failures.from_text(plan.failures)
    for scheduler in made:
        rules_for(scheduler, plan.preemption, fails=fails)
    return labels


def prepare(plan: Plan, say: Say) -> Prepared:
    """Read the workload, transform it and give it utility functions.

    Raises
    ------
    InputError
        Something in the plan is unknown, the workload cannot be read, its machine's size is not
        known, or the results directory cannot be written.
    """
    check(plan)
    loaded = plan.source.load()
    transformed = apply_all(loaded.workload, plan.apply, plan.seeds.transformations)
    for line in told_transformed(transformed):
        say(line)
    require_machine(transformed.workload)
    if plan.dependencies:
        for line in told_dependencies(transformed.workload):
            say(line)
    machine_size = transformed.workload.machine_size
    if machine_size is not None:
        failures_of(plan.failures, machine_size, plan.seeds.scheduler)
    if plan.out is not None:
        prove_writable(plan.out)
    valued = ensure(
        transformed.workload, plan.utilities, plan.seeds.utilities, classes=plan.classes, say=say
    )
    return Prepared(loaded, transformed, valued.workload, valued.utilities)


def simulate_all(plan: Plan, prepared: Prepared, *, quiet: bool = False) -> Iterator[Run]:
    """Simulate one scheduler after the other; each one's files are there when it is yielded.

    Raises
    ------
    InputError
        The results directory cannot be used; before any simulation.
    """
    say = speaker(quiet=quiet)
    labels = check(plan)
    target = _claim(plan, prepared, labels, say)
    for label in labels:
        began = time.time()
        schedule = _simulate(plan, prepared, label, quiet=quiet)
        figures = summary(prepared.workload, schedule, tau=plan.tau, trim=plan.trim)
        directory = target.runs[label] if target else None
        if directory:
            results = _results(plan, prepared, schedule, figures, began)
            removed = write_run(directory, results, swf=plan.swf)
            if removed:
                say(f"{directory}: the schedule changed, so removed {', '.join(removed)}")
        yield Run(schedule, figures, directory)


def _simulate(plan: Plan, prepared: Prepared, label: str, *, quiet: bool) -> Schedule:
    with Progress(label, quiet=quiet) as progress:
        return utilitysched.simulate(
            prepared.workload,
            label,
            classes=plan.classes,
            seed=plan.seeds.scheduler,
            on_progress=progress,
            dependencies=plan.dependencies,
            preemption=plan.preemption,
            failures=plan.failures,
        )


def _claim(plan: Plan, prepared: Prepared, labels: Sequence[str], say: Say) -> Target | None:
    if plan.out is None:
        return None
    digest = prepared.workload.digest()
    target = claim(plan.out, digest, labels, force=plan.force)
    if target.replaced():
        say(f"replacing in {plan.out}, file by file: {', '.join(target.replaced())}")
    if target.strangers(digest):
        names = ", ".join(target.strangers(digest))
        say(f"still in {plan.out}, of another workload and no longer to be billed: {names}")
    target.write_workload(
        prepared.workload, {**plan.source.to_dict(), **prepared.loaded.report.to_dict()}
    )
    return target


def _results(
    plan: Plan,
    prepared: Prepared,
    schedule: Schedule,
    figures: Mapping[str, object],
    began: float,
) -> Results:
    workload = prepared.workload
    return Results(
        workload,
        schedule,
        figures,
        record(plan, prepared, schedule),
        {"began_unix_s": began, "simulation_s": schedule.elapsed},
        plan.classes,
        utilitysched.allocations(workload, schedule) if plan.allocations else None,
    )
