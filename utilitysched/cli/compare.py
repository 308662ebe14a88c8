"""`utilitysched compare`."""

from typing import Annotated

from swfx.base.request_fields import Directory
from swfx.base.typed import Typed
from utilitysched.cli.shared import Quiet
from utilitysched.experiments.comparison_request import ComparisonRequest
from utilitysched.workers.places import Workplace

EPILOG = """\b
Examples:
  utilitysched compare easy ga
  utilitysched compare easy saf lexp --workload log.swf.gz --jobs 0:5000 --jobs 5000:10000
  utilitysched compare easy fcfs --metric 'wait_p*' --seeds 4
"""


def compare(
    request: ComparisonRequest,
    store: Annotated[Directory, Typed("--store DIR")] = None,
    *,
    place: Workplace,
    quiet: Quiet = False,
) -> None:
    """Compare schedulers in pairs, with intervals and tests.

    Prints ratios to the first scheduler and effect sizes. For an experiment to keep and repeat,
    write a file: see utilitysched experiment.

    Parameters
    ----------
    store : Path, optional
        Keep results there, and do not repeat what it has already.
    """
    from utilitysched.cli.experiment import run_and_report
    from utilitysched.cli.notifier import notifier
    from utilitysched.experiments.quick import quick_work

    echo = notifier(quiet=quiet)
    executor = place.executor(echo)
    with quick_work(request, store, echo) as work:
        run_and_report(work, executor, full=True, quiet=quiet)
