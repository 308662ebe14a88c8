"""Completion of names and their options in a shell, from the registries."""

import contextlib
import io
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module

Known = Callable[[], Mapping[str, Mapping[str, str]]]
"""Finds the options of every name, with their defaults."""

VARIABLE = "_UTILITYSCHED_COMPLETE"


def _schedulers() -> dict[str, dict[str, str]]:
    from utilitysched.report.listings import catalogue

    return {entry.name: entry.options for entry in catalogue()}


def _models() -> dict[str, dict[str, str]]:
    from utilitysched.report.listings import model_families

    return {model.name: model.options for model in model_families()[0].members}


def _family(place: str) -> Known:
    """Return what finds the members of a registry, given as ``module:name``."""

    def defaults() -> dict[str, dict[str, str]]:
        module, _, name = place.partition(":")
        members = getattr(import_module(module), name).members()
        return {name: members[name].defaults() for name in sorted(members)}

    return defaults


def _more(text: str, begun: str, options: Mapping[str, str]) -> list[str]:
    """Return the completions of `text` by options that `begun` does not hold yet."""
    done, comma, _ = begun.rpartition(",")
    typed = {pair.partition("=")[0] for pair in done.split(",")}
    rest = {key: value for key, value in options.items() if key not in typed}
    return [f"{text}{done}{comma}{key}={value}" for key, value in rest.items()]


def _named(known: Known, between: str = ":") -> Callable[[str], list[str]]:
    """Return the completer of names from a registry and of their options."""

    def complete(incomplete: str) -> list[str]:
        name, begun, rest = incomplete.partition(between)
        options = known()
        return _more(f"{name}{between}", rest, options.get(name, {})) if begun else list(options)

    return complete


def _workload(incomplete: str) -> list[str]:
    """Complete a workload that is no path."""
    from swfx.archive.catalogue import LOGS
    from swfx.families.formats.registry import IMPORTERS
    from swfx.reading.sources import sample_names

    if incomplete.startswith("model:"):
        model = _named(_models, ",")(incomplete.removeprefix("model:"))
        return [f"model:{text}" for text in model]
    named = [f"sample:{name}" for name in sample_names()]
    named += [f"archive:{log.name}" for log in LOGS]
    return ["model:", *named, *(f"{name}:" for name in IMPORTERS.names())]


COMPLETERS: Mapping[str, Callable[[str], list[str]]] = {
    "WORKLOAD": _workload,
    "--workload WORKLOAD": _workload,
    "MODEL": _named(_models),
    "A B...": _named(_schedulers),
    "--scheduler NAME": _named(_schedulers),
    "--mechanism NAME": _named(_family("pricing.registry:MECHANISMS")),
    "--apply NAME": _named(_family("swfx.families.transforms:TRANSFORMS")),
    "--to FORMAT": _named(_family("swfx.families.exporters:EXPORTERS")),
    "--users MODEL": _named(_family("swfx.families.users.registry:USER_MODELS")),
    "--estimates MODEL": _named(_family("swfx.families.estimates.registry:ESTIMATE_MODELS")),
    "--priorities MODEL": _named(_family("swfx.families.queues.registry:PRIORITY_MODELS")),
    "--checkpoints SPEC": _named(_family("checkpoint:ANNOTATIONS")),
    "--lie NAME": _named(_family("utilitysched.market.audit.misreport:MISREPORTS")),
}
"""By an option and what stands for its value, or by what stands for an argument."""


@contextlib.contextmanager
def whole_words() -> Iterator[None]:
    """Join the words into which bash splits names at ``:`` and ``=``, and cut the answers."""
    if os.environ.get(VARIABLE) != "complete_bash":
        yield
        return
    words = os.environ["COMP_WORDS"].split("\n")[: int(os.environ["COMP_CWORD"]) + 1]
    typed = re.sub(r"\n([:=])(\n(?!-|$))?", r"\1", "\n".join(words))
    os.environ |= {"COMP_WORDS": typed, "COMP_CWORD": str(typed.count("\n"))}
    known = len(re.sub("[^:=]*$", "", typed.rpartition("\n")[2]))
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output):
            yield
    finally:
        sys.stdout.writelines(line[known:] for line in output.getvalue().splitlines(keepends=True))
