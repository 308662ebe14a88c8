"""The models that make workloads, and what their jobs have, family by family."""

from typing import NamedTuple

from checkpoint import ANNOTATIONS
from swfx.families.annotators import ANNOTATORS
from swfx.families.generators import MODELS
from swfx.families.utilities.registry import UTILITY_MODELS
from swfx.reading.sources import DEFAULT_JOBS
from utilitysched.report.console import console
from utilitysched.report.members import BOLD, Member, members, print_options, print_summaries

OPTIONS_NOTE = "Options (an empty default is off, ... must be given)"
_TITLES = {
    "workloads": "Workloads: model:NAME,key=value,... or generate NAME key=value ...",
    "users": "Who submits the jobs: --users",
    "estimates": "Requested times: --estimates",
    "priorities": "Queues: --priorities",
    "utilities": "Utility functions: --utilities",
    "checkpoints": "Which jobs take checkpoints: --checkpoints",
}


class Family(NamedTuple):
    """Models for one purpose, by its name; `title` says where they are written."""

    name: str
    title: str
    members: list[Member]


def families() -> list[Family]:
    """Return every family with its members, from the registries."""
    found = {"workloads": [_workload_model(name) for name in sorted(MODELS)]}
    found |= {name: members(registry) for name, registry in ANNOTATORS.items()}
    found |= {"utilities": members(UTILITY_MODELS), "checkpoints": members(ANNOTATIONS)}
    return [Family(name, title, found[name]) for name, title in _TITLES.items()]


def print_families(found: list[Family]) -> None:
    """Print names and summaries by family, then what the options are."""
    to = console()
    for family in found:
        to.print(family.title, style=BOLD)
        print_summaries(family.members)
    to.print(OPTIONS_NOTE, style=BOLD)
    for family in found:
        print_options(family.members)


def _workload_model(name: str) -> Member:
    kind = MODELS[name]
    options = {"jobs": str(DEFAULT_JOBS), "seed": "0", **kind.from_options({}).to_options()}
    summary = (kind.__doc__ or "").strip().partition("\n")[0]
    return Member(name, summary, options)
