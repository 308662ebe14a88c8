"""`utilitysched simulate`."""

from utilitysched.cli.shared import Json, Quiet
from utilitysched.runs.records import SimulationPlan

EPILOG = """\b
Examples:
  utilitysched simulate sample: --scheduler easy --scheduler ga
  utilitysched simulate log.swf.gz --jobs 5000:10000 --scheduler saf:placement=none --out runs/saf
  utilitysched simulate log.swf.gz --apply nodes:per=8 --apply scale-load:load=0.85
  utilitysched simulate sample: --scheduler ga --logbook generations.csv
  zcat log.swf.gz | utilitysched simulate - --json | jq '.runs[0].summary'
"""


def simulate(plan: SimulationPlan, json: Json = False, quiet: Quiet = False) -> None:
    """Simulate schedulers on a workload and compare them.

    Prints waits, expansion factors, bounded slowdown, the share of their start value that jobs
    earned, and the aggregate utility.
    """
    from swfx.base.atomic import prove_writable
    from utilitysched.cli.notifier import notifier, noting_compilation, watcher
    from utilitysched.report.comparison import print_runs
    from utilitysched.report.terminal import print_json
    from utilitysched.runs.logbook import write_logbooks
    from utilitysched.runs.records import document
    from utilitysched.runs.simulation import prepare, simulate_all

    if plan.logbook:
        prove_writable(plan.logbook)
    echo = notifier(quiet=quiet)
    watch = watcher(quiet=quiet)
    with noting_compilation(echo):
        with watch("reading the log"):
            prepared = prepare(plan, echo)
        runs = list(simulate_all(plan, prepared, echo, watch))
    if plan.logbook:
        write_logbooks(plan.logbook, runs)
    if json:
        print_json(document(plan, prepared, runs))
    else:
        print_runs(plan, prepared, runs)
