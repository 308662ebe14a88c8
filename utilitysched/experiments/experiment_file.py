"""Experiment files: TOML, every mistake refused with its line before anything is run."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from functools import partial
from pathlib import Path
from typing import get_args

from checkpoint import ANNOTATIONS, PreemptionRules
from pricing.counterfactual import horizon_seconds
from swfx import InputError
from swfx.base.options import nearest
from swfx.base.plugin_file import read_plugins
from swfx.base.toml_values import Node, read_toml
from swfx.families.transforms import TRANSFORMS
from swfx.families.utilities.registry import make_model
from swfx.reading.located import located, located_source
from swfx.reading.sources import check_source, open_workload
from utilitysched.analysis.statistics import CORRECTIONS, MEANS
from utilitysched.counterfactual.readings import as_read_by
from utilitysched.engine.failures import Failures
from utilitysched.engine.valued import AS_THEY_ARE
from utilitysched.experiments.audits import Audited
from utilitysched.experiments.grid import steps_text
from utilitysched.experiments.inputs import Cleaning, selection_of
from utilitysched.experiments.metric_names import BILL_METRICS, METRICS, matching
from utilitysched.experiments.sections import (
    Readers,
    candidate,
    candidate_label,
    mechanism_label,
    numbers,
    once,
    one_of,
    read,
    seeds,
    some,
    table,
    values,
)
from utilitysched.experiments.specification import (
    FACTORS,
    PLOT_FORMATS,
    PLOTS,
    TABLES,
    Experiment,
    PriceSettings,
    Published,
    PublishedBill,
    Schedulers,
    SimulationSettings,
    Source,
    Utilities,
    Wanted,
    Workloads,
)
from utilitysched.experiments.variants import Variants
from utilitysched.market.audit import MECHANISMS, AuditSubject, Design
from utilitysched.market.audit.misreport import MISREPORTS
from utilitysched.market.audit.queues import read_thresholds
from utilitysched.market.audit.scenario import check

SECTIONS = (
    *("name", "store", "plugins", "workload", "utilities", "checkpoints", "schedulers"),
    *("simulation", "prices", "audit", "report"),
)

TOGETHER = "put all values in one table"

AS_GIVEN = ("",)
"""Checkpoints as the workload has them, or the default rules of preemption."""


def read_experiment(file: Path) -> Experiment:
    """Read an experiment file.

    Raises
    ------
    InputError
        Whatever is wrong in it, with file, line, and the path of the value.
    """
    parts = table(read_toml(file, "an experiment file"), SECTIONS, "workload", "schedulers")
    for each in parts["plugins"].one_or_more() if "plugins" in parts else ():
        each.made(lambda path: read_plugins([file.parent / path]))
    played = values(parts, {"simulation": _simulation, "checkpoints": _checkpoints})
    simulation, rules = played.get("simulation", (SimulationSettings(), AS_GIVEN))
    annotations = played.get("checkpoints", AS_GIVEN)
    variants = Variants(annotations, rules, failures=bool(simulation.failures))
    schedulers = _schedulers(parts["schedulers"], variants)
    labels = [each.label for each in schedulers.candidates]
    workloads = tuple(_workloads(each) for each in parts["workload"].one_or_more())
    published = partial(_published, schedulers=labels, places=_places(workloads))
    readers: Readers = {
        "name": Node.text,
        "utilities": _utilities,
        "prices": partial(_prices, schedulers=labels),
        "audit": partial(_audit, schedulers=labels, simulation=simulation),
        "report": partial(_report, published=published),
        "store": lambda node: (file.parent / node.text()).absolute(),
    }
    given = {"name": file.stem} | values(parts, readers)
    return Experiment(workloads=workloads, schedulers=schedulers, simulation=simulation, **given)


def _workloads(node: Node) -> Workloads:
    given = read(node, _WORKLOAD, "source")
    sources, name = given.pop("source"), given.pop("name", None)
    if name is not None:
        sources = _named(sources, name)
    if "jobs" in given:
        _check_slices(node.table(_WORKLOAD)["jobs"], sources)
    return Workloads(sources, **given)


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


def _check_slices(node: Node, sources: Iterable[Source]) -> None:
    """Refuse the slice that begins last if there is a log that has no such job."""
    slices = [(each.made(selection_of)[1], each) for each in node.one_or_more()]
    begins = [(made.start or 0, each) for made, each in slices if isinstance(made, slice)]
    begin, last = max(begins, key=lambda each: each[0], default=(0, node))
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


def _classes(node: Node) -> tuple[tuple[int, int], ...]:
    queues = list(node.value) if isinstance(node.value, dict) else []
    for queue in queues:
        if not re.fullmatch("-?[0-9]{1,18}", queue):
            node.refuse(f"{queue!r} is no number of a queue", "write {7 = 0}: queue = class")
    return tuple((int(queue), each.whole(0)) for queue, each in node.table(queues).items())


_WORKLOAD: Readers = {
    "source": lambda node: once(node, _source),
    "name": Node.text,
    "jobs": lambda node: once(node, lambda each: each.made(selection_of)[0]),
    "apply": _applied,
    "seeds": seeds,
    "procs": lambda node: node.whole(1),
    "cleaning": lambda node: node.choice(get_args(Cleaning)),
    "classes": _classes,
}


def _utilities(node: Node) -> Utilities:
    readers: Readers = {
        "specifications": lambda each: once(each, partial(_option_text, make=_check_utility)),
        "seeds": seeds,
        "before_apply": Node.truth,
    }
    return Utilities(**{"specifications": ("default",)} | read(node, readers))


def _check_utility(text: str) -> None:
    if text != AS_THEY_ARE:
        make_model(text)


def _checkpoints(node: Node) -> tuple[str, ...]:
    (parts,) = table(node, ("specifications",), "specifications").values()
    return once(parts, partial(_option_text, make=ANNOTATIONS.make))


def _schedulers(node: Node, variants: Variants) -> Schedulers:
    parts = table(node, ("names", "baseline", "repeats"), "names")
    candidates = variants.of(once(parts["names"], candidate))
    labels = [each.label for each in candidates]
    readers: Readers = {
        "baseline": partial(candidate_label, labels=labels),
        "repeats": lambda each: each.whole(1),
    }
    return Schedulers(candidates, **{"baseline": labels[0]} | values(parts, readers))


def _simulation(node: Node) -> tuple[SimulationSettings, tuple[str, ...]]:
    """Return how jobs are simulated, and all rules of preemption, of which it has the first."""
    given = read(node, _SIMULATION)
    rules = given.pop("preemption", AS_GIVEN)
    return SimulationSettings(**given, preemption=rules[0]), rules


_SIMULATION: Readers = {
    "tau": lambda node: node.seconds(lambda tau: tau > 0, "above 0"),
    "trim": lambda node: node.number(lambda trim: 0 <= trim < 0.5, "a share from 0 to below 0.5"),
    "dependencies": Node.truth,
    "preemption": lambda node: once(
        node, lambda each: str(each.made(PreemptionRules.from_text)[1])
    ),
    "failures": lambda node: node.made(Failures.from_text)[0],
}


def _prices(node: Node, schedulers: Collection[str]) -> PriceSettings:
    """Read ``[prices]``: which bills are wanted."""
    parts = table(node, PriceSettings._fields, "mechanisms")
    mechanisms = once(parts["mechanisms"], mechanism_label)
    found: dict[tuple[str, str | None], PublishedBill] = {}
    for each in parts["published"].one_or_more() if "published" in parts else ():
        bill = _published_bill(each, mechanisms, schedulers)
        if (bill.mechanism, bill.scheduler) in found:
            each.refuse(f"{bill.mechanism!r} is named twice", TOGETHER)
        found[bill.mechanism, bill.scheduler] = bill
    return PriceSettings(mechanisms, tuple(found.values()))


def _published_bill(
    node: Node, mechanisms: Collection[str], schedulers: Collection[str]
) -> PublishedBill:
    readers: Readers = {
        "mechanism": lambda each: one_of(each, mechanism_label(each), mechanisms, "mechanisms"),
        "values": partial(numbers, known=BILL_METRICS),
        "scheduler": lambda each: one_of(each, candidate(each).label, schedulers, "schedulers"),
    }
    return PublishedBill(**read(node, readers, "mechanism", "values"))


def _audit(node: Node, schedulers: Iterable[str], simulation: SimulationSettings) -> Audited:
    """Read ``[audit]``: which audit is wanted."""
    if simulation.dependencies:
        node.refuse("audits play no dependencies", "leave dependencies out of [simulation]")
    given = read(node, _AUDIT)
    schedulers = tuple(schedulers)
    mechanisms = given.pop("mechanisms", MECHANISMS)
    if mechanisms == MECHANISMS:  # one table for all: by what every scheduler has
        for scheduler in schedulers:
            mechanisms = as_read_by(scheduler, mechanisms)
    design = Design(**given)
    for scheduler in schedulers:
        try:
            check(AuditSubject(scheduler, mechanisms))
        except InputError as error:
            node.refuse(f"{scheduler}: {error}")
    told = tuple(lie.label for lie in design.told)
    return Audited(mechanisms, design.jobs, design.draws, told, design.horizon, design.queues)


_AUDIT: Readers = {
    "mechanisms": lambda node: once(node, mechanism_label),
    "jobs": lambda node: node.whole(1),
    "draws": lambda node: node.whole(1),
    "lies": lambda node: once(node, lambda each: each.made(MISREPORTS.make)[1].label),
    "horizon": lambda node: node.made(horizon_seconds)[0],
    "queues": lambda node: node.made(read_thresholds)[0],
}


def _report(node: Node, published: Callable[[Node], tuple[Published, ...]]) -> Wanted:
    """Read ``[report]``: what is printed and written."""
    readers: Readers = {
        "metrics": _metrics,
        "compare": _metrics,
        "tables": partial(some, known=TABLES),
        "plots": partial(some, known=PLOTS),
        "plot_formats": partial(some, known=PLOT_FORMATS),
        "over_time": Node.truth,
        "published": published,
        "separate": partial(some, known=FACTORS),
        "mean": lambda each: each.choice(tuple(MEANS)),
        "correction": lambda each: each.choice(tuple(CORRECTIONS)),
    }
    return Wanted(**read(node, readers))


def _metrics(node: Node) -> tuple[str, ...]:
    if node.value == []:
        return ()
    patterns: list[str] = []
    for each in node.one_or_more():
        pattern = each.text()
        if not matching([pattern]):
            each.refuse(f"no figure is named {pattern!r}", nearest(pattern, METRICS))
        patterns.append(pattern)
    return matching(patterns)


def _places(workloads: Iterable[Workloads]) -> Readers:
    """Return readers of what figures of others may be about, rather than about all."""
    names = {source.name for each in workloads for source in each.sources}
    applied = {steps_text(steps) for each in workloads for steps in each.apply}
    return {
        "workload": lambda node: one_of(node, node.text(), names, "workloads"),
        "apply": lambda node: one_of(node, steps_text(_steps(node)), applied, "workloads"),
    }


def _published(node: Node, schedulers: Collection[str], places: Readers) -> tuple[Published, ...]:
    keys = ("scheduler", "values", "ratios", *places)
    found: dict[object, Published] = {}
    for each in node.one_or_more():
        parts = table(each, keys, "scheduler")
        if "ratios" not in parts:
            table(each, keys, "values")
        label = candidate_label(parts["scheduler"], schedulers)
        where = tuple(values(parts, places).items())
        if (label, where) in found:
            parts["scheduler"].refuse(f"{label!r} is named twice", TOGETHER)
        known, ratios = (
            numbers(parts[key], METRICS) if key in parts else {} for key in ("values", "ratios")
        )
        for twice in known.keys() & ratios.keys():
            parts["ratios"].refuse(f"{twice!r} has a value, too", "give one of them")
        found[label, where] = Published(label, known, ratios, where)
    return tuple(found.values())
