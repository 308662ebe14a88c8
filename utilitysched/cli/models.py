"""`utilitysched models`."""

from utilitysched.cli.options import Json

EPILOG = """\b
Options follow the name: --users zipf:groups=5, --checkpoints survey:jobs=0.2; those of a workload
stand behind commas, those of its users, requests and queues with their key before them:
  model:lublin,jobs=5000,procs=256,users=zipf,users.groups=5
Other distributions add models through entry points.
"""


def models(json: Json = False) -> None:
    """List models of workloads, users, requests, queues, utilities and checkpoints.

    With their options and defaults. Of a workload's model, `CLASS.PARAMETER` are not listed.
    """
    from utilitysched.report.console import print_json
    from utilitysched.report.models import families, print_families

    found = families()
    if json:
        print_json({name: [member._asdict() for member in members] for name, _, members in found})
    else:
        print_families(found)
