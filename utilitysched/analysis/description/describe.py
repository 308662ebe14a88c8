"""Description of a workload, made part by part."""

from collections.abc import Callable, Iterable

from swfx import Header, LoadReport, Workload
from utilitysched.analysis.description.extras import Checkpoints, Followers, SoftEstimates
from utilitysched.analysis.description.jobs import Jobs
from utilitysched.analysis.description.load import Load
from utilitysched.analysis.description.overview import Overview, reading
from utilitysched.analysis.description.owners import Owners
from utilitysched.analysis.description.part import Section
from utilitysched.analysis.description.value import ValuePart
from utilitysched.analysis.documents import Description


def describe(
    parts: Iterable[Workload], header: Header, report: Callable[[], LoadReport]
) -> Description:
    """Describe a workload that need not fit into memory.

    Parameters
    ----------
    parts : iterable of Workload
        Its jobs in any number of parts, seen once; the result does not depend on the division.
    header : Header
        Its header: machine size, queues' names, clock.
    report : callable
        Gives the account of reading once all parts have been seen.
    """
    machine_size = header.max_procs or header.max_nodes
    sections: list[Section] = [
        Overview(header, machine_size),
        Jobs(),
        Load(header, machine_size),
        Owners(header),
        ValuePart(),
        Checkpoints(),
        SoftEstimates(),
        Followers(),
    ]
    for part in parts:
        for section in sections if len(part) else ():
            section.add(part)
    panels = [panel for section in sections for panel in section.panels()]
    account = report()
    return Description(account.source, [*panels, *reading(account)])
