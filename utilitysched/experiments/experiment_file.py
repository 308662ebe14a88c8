"""Experiment files: TOML, every mistake refused with its line before anything is run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import cast

import utilitysched
from checkpoint import ANNOTATIONS, PreemptionRules
from swfx import InputError
from swfx.base.options import nearest
from swfx.base.toml_values import Node, read_toml
from swfx.families.transforms import TRANSFORMS
from swfx.families.utilities.registry import make_model
from swfx.reading.sources import check_source, open_workload
from utilitysched.analysis.statistics import CORRECTIONS, MEANS, CorrectionName, MeanName
from utilitysched.engine.preemptive import Failures
from utilitysched.engine.valued import AS_THEY_ARE
from utilitysched.experiments.audit_section import read_audit
from utilitysched.experiments.audited import Audited
from utilitysched.experiments.figure_names import FIGURES, matching
from utilitysched.experiments.files import located, located_source
from utilitysched.experiments.material import Cleaning, slice_of
from utilitysched.experiments.price_section import read_prices
from utilitysched.experiments.sections import numbers, once, one_of, require, seeds
from utilitysched.experiments.specification import (
    FACTORS,
    PLOT_FORMATS,
    PLOTS,
    TABLES,
    Candidate,
    Experiment,
    Prices,
    Published,
    Schedulers,
    Simulation,
    Source,
    Utilities,
    Wanted,
    Workloads,
)
from utilitysched.experiments.variants import Variants

NO_RULES: tuple[Simulation, tuple[str, ...]] = (Simulation(), ("",))

SECTIONS = (
    "name",
    "store",
    "workload",
    "utilities",
    "checkpoints",
    "schedulers",
    "simulation",
    "prices",
    "audit",
    "report",
)


def read_experiment(file: Path) -> Experiment:
    """Read an experiment file.

    Raises
    ------
    InputError
        Whatever is wrong in it, with file, line, and the path of the value.
    """
    top = read_toml(file, "an experiment file")
    parts = top.table(SECTIONS)
    require(top, parts, "workload", "schedulers")
    simulation, rules = _simulation(parts["simulation"]) if "simulation" in parts else NO_RULES
    annotations = _checkpoints(parts["checkpoints"]) if "checkpoints" in parts else ("",)
    variants = Variants(annotations, rules, failures=bool(simulation.failures))
    schedulers = _schedulers(parts["schedulers"], variants)
    labels = [each.label for each in schedulers.candidates]
    return Experiment(
        name=parts["name"].text() if "name" in parts else file.stem,
        workloads=tuple(_workloads(node) for node in parts["workload"].one_or_more()),
        schedulers=schedulers,
        utilities=_utilities(parts["utilities"]) if "utilities" in parts else Utilities(),
        simulation=simulation,
        prices=read_prices(parts["prices"], labels) if "prices" in parts else Prices(),
        audit=_audit(parts["audit"], labels, simulation) if "audit" in parts else None,
        report=_report(parts["report"], schedulers) if "report" in parts else Wanted(),
        store=(file.parent / parts["store"].text()).absolute() if "store" in parts else None,
    )


def _audit(node: Node, schedulers: Iterable[str], simulation: Simulation) -> Audited:
    for name in ("dependencies", "failures"):
        if getattr(simulation, name):
            node.refuse(f"audits play no {name}", f"leave {name} out of [simulation]")
    return read_audit(node, schedulers)


def _workloads(node: Node) -> Workloads:
    parts = node.table(("name", "source", "jobs", "apply", "seeds", "procs", "cleaning", "classes"))
    require(node, parts, "source")
    sources = once(parts["source"], _source)
    given = Workloads(_named(sources, parts["name"].text()) if "name" in parts else sources)
    if "jobs" in parts:
        _check_slices(parts["jobs"], sources)
    return Workloads(
        sources=given.sources,
        jobs=once(parts["jobs"], _slice) if "jobs" in parts else given.jobs,
        apply=_applied(parts["apply"]) if "apply" in parts else given.apply,
        seeds=seeds(parts["seeds"]) if "seeds" in parts else given.seeds,
        procs=parts["procs"].whole(1) if "procs" in parts else None,
        cleaning=_cleaning(parts["cleaning"]) if "cleaning" in parts else given.cleaning,
        classes=_classes(parts["classes"]) if "classes" in parts else (),
    )


def _source(node: Node) -> Source:
    written = node.text()
    if written == "-":
        node.refuse("standard input can be read only once", "give a file")
    folder = node.file.parent
    text, _ = node.made(lambda text: check_source(located_source(text, folder)))
    source = located_source(text, folder)
    return Source(Path(text).name if Path(source).is_file() else text, source)


def _named(sources: tuple[Source, ...], name: str) -> tuple[Source, ...]:
    if len(sources) == 1:
        return (sources[0]._replace(name=name),)
    return tuple(source._replace(name=f"{name} {source.name}") for source in sources)


def _slice(node: Node) -> str:
    return node.made(slice_of)[0]


def _check_slices(node: Node, sources: Iterable[Source]) -> None:
    """Refuse the slice that begins last if there is a log that has no such job."""
    begins = [(node.made(slice_of)[1].start or 0, node) for node in node.one_or_more()]
    begin, last = max(begins, key=lambda each: each[0])
    for source in sources if begin > 0 else ():
        try:
            open_workload(source.text, jobs=slice(begin, begin + 1), cleaning="lenient")
        except InputError as error:
            if error.field == "jobs":  # whatever else is wrong is told by who reads all of it
                last.refuse(f"{source.name}: {error.message}", "give A:B, counted from 0")


def _applied(node: Node) -> tuple[tuple[str, ...], ...]:
    if isinstance(node.value, list) and all(isinstance(each, list) for each in node.value):
        return once(node, _steps)
    return (_steps(node),)


def _steps(node: Node) -> tuple[str, ...]:
    if node.value == []:
        return ()
    return tuple(_option_text(each, TRANSFORMS.make) for each in node.one_or_more())


def _option_text(node: Node, make: Callable[[str], object]) -> str:
    """Text of something with options; files that it names are beside the experiment file."""
    folder = node.file.parent
    node.made(lambda text: make(located(text, folder)))
    return located(node.text(), folder)


def _cleaning(node: Node) -> Cleaning:
    return cast("Cleaning", node.choice(("standard", "strict", "lenient")))


def _classes(node: Node) -> tuple[tuple[int, int], ...]:
    queues = list(node.value) if isinstance(node.value, dict) else []
    for queue in queues:
        if not re.fullmatch("-?[0-9]{1,18}", queue):
            node.refuse(f"{queue!r} is no number of a queue", "write {7 = 0}: queue = class")
    return tuple((int(queue), each.whole(0)) for queue, each in node.table(queues).items())


def _utilities(node: Node) -> Utilities:
    parts = node.table(Utilities._fields)
    texts: tuple[str, ...] = ("default",)
    if "specifications" in parts:
        texts = once(parts["specifications"], lambda each: _option_text(each, _check_utility))
    return Utilities(
        texts,
        seeds(parts["seeds"]) if "seeds" in parts else (0,),
        parts["before_apply"].truth() if "before_apply" in parts else False,
    )


def _check_utility(text: str) -> None:
    if text != AS_THEY_ARE:
        make_model(text)


def _checkpoints(node: Node) -> tuple[str, ...]:
    parts = node.table(("specifications",))
    require(node, parts, "specifications")
    return once(parts["specifications"], lambda each: _option_text(each, ANNOTATIONS.make))


def _schedulers(node: Node, variants: Variants) -> Schedulers:
    parts = node.table(("names", "baseline", "repeats"))
    require(node, parts, "names")
    candidates = variants.of(once(parts["names"], candidate))
    labels = [each.label for each in candidates]
    baseline = labels[0]
    if "baseline" in parts:
        baseline = _label(parts["baseline"], labels)
    repeats = parts["repeats"].whole(1) if "repeats" in parts else 1
    return Schedulers(candidates, baseline, repeats)


def candidate(node: Node) -> Candidate:
    """Make a scheduler of its text.

    Raises
    ------
    InputError
        There is none of that name, or an option cannot be used.
    """
    _, made = node.made(utilitysched.make_scheduler)
    return Candidate(made.label, made.stochastic, preempts=made.preempts)


def _label(node: Node, labels: Sequence[str]) -> str:
    """Return the label of a candidate that is named by it, or by another text of the scheduler."""
    text = node.text()
    return text if text in labels else one_of(node, candidate(node).label, labels, "schedulers")


def _simulation(node: Node) -> tuple[Simulation, tuple[str, ...]]:
    """Return how jobs are simulated, and all rules of preemption, of which it has the first."""
    parts = node.table(Simulation._fields)
    given, rules = NO_RULES
    if "tau" in parts:
        given = given._replace(tau=parts["tau"].number(lambda tau: tau > 0, "above 0"))
    if "trim" in parts:
        trim = parts["trim"].number(lambda trim: 0 <= trim < 0.5, "a share from 0 to below 0.5")
        given = given._replace(trim=trim)
    if "dependencies" in parts:
        given = given._replace(dependencies=parts["dependencies"].truth())
    if "preemption" in parts:
        rules = once(parts["preemption"], lambda each: str(each.made(PreemptionRules.from_text)[1]))
        given = given._replace(preemption=rules[0])
    if "failures" in parts:
        text, _ = parts["failures"].made(Failures.from_text)
        given = given._replace(failures=text)
    for name in ("preemption", "failures"):
        if name in parts and given.dependencies:
            parts[name].refuse("jobs cannot both depend on others and be stopped")
    return given, rules


def _report(node: Node, schedulers: Schedulers) -> Wanted:
    given = Wanted()
    parts = node.table(tuple(vars(given)))

    def chosen(key: str, known: Iterable[str]) -> tuple[str, ...]:
        names = tuple(known)
        if key not in parts:
            return cast("tuple[str, ...]", getattr(given, key))
        if parts[key].value == []:
            return ()
        return once(parts[key], lambda each: each.choice(names))

    def one(key: str, known: Iterable[str]) -> str:
        return parts[key].choice(tuple(known)) if key in parts else str(getattr(given, key))

    return Wanted(
        metrics=_metrics(parts["metrics"]) if "metrics" in parts else given.metrics,
        compare=_metrics(parts["compare"]) if "compare" in parts else None,
        tables=chosen("tables", TABLES),
        plots=chosen("plots", PLOTS),
        plot_formats=chosen("plot_formats", PLOT_FORMATS),
        published=_published(parts["published"], schedulers) if "published" in parts else (),
        separate=chosen("separate", FACTORS),
        mean=cast("MeanName", one("mean", MEANS)),
        correction=cast("CorrectionName", one("correction", CORRECTIONS)),
    )


def _metrics(node: Node) -> tuple[str, ...]:
    patterns: list[str] = []
    if node.value == []:
        return ()
    for each in node.one_or_more():
        pattern = each.text()
        if not matching([pattern]):
            each.refuse(f"no figure is named {pattern!r}", nearest(pattern, FIGURES))
        patterns.append(pattern)
    return matching(patterns)


def _published(node: Node, schedulers: Schedulers) -> tuple[Published, ...]:
    labels = [each.label for each in schedulers.candidates]
    found: list[Published] = []
    for each in node.one_or_more():
        parts = each.table(("scheduler", "values", "ratios"))
        require(each, parts, "scheduler", *(() if "ratios" in parts else ("values",)))
        given = parts["scheduler"]
        label = _label(given, labels)
        if label in [earlier.scheduler for earlier in found]:
            given.refuse(f"{label!r} is named twice", "put all values in one table")
        values, ratios = (
            numbers(parts[key], FIGURES) if key in parts else {} for key in ("values", "ratios")
        )
        for twice in values.keys() & ratios.keys():
            parts["ratios"].refuse(f"{twice!r} has a value, too", "give one of them")
        found.append(Published(label, values, ratios))
    return tuple(found)
