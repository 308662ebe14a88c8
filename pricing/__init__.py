"""Prices of computer time: mechanisms, charges, statements, checks.

`charge` a realised schedule by a mechanism, sum the charges in a `statement`, `write_statements` to
a directory, and hold the result to the certificates of `check_charges`.
"""

from typing import TYPE_CHECKING

from swfx.base.lazy import imported_on_use

if TYPE_CHECKING:
    from pricing.charges import Charges, charge
    from pricing.checks import Rationality, check_charges, individual_rationality
    from pricing.counterfactual import Counterfactual, PivotRule, ReplayRule
    from pricing.evidence import evidence_graph
    from pricing.files import write_charges, write_statements
    from pricing.outcome import Outcome
    from pricing.pivots import Losses, Pivots
    from pricing.properties import (
        PROPERTIES,
        Check,
        check_externality,
        check_monotonicity,
        check_rationality,
        check_relabelling,
        check_truthfulness,
        check_undisturbing,
        check_value_blindness,
    )
    from pricing.rates import rate_text, rates_text, read_rate, read_rates
    from pricing.reader import CurveReader, Readings, Rounds, WorkStarts
    from pricing.recomputation import Fault, Recomputed, recompute
    from pricing.registry import (
        ConfiguredMechanism,
        HourlyMechanism,
        Mechanism,
        PriceMechanism,
        Prices,
        make_mechanism,
        mechanism_names,
        option,
        register,
    )
    from pricing.replays import Replays
    from pricing.shares import Shares
    from pricing.statements import KINDS, statement
    from pricing.states import BillTerms
    from pricing.waste import Waste
else:  # a simulation needs few of them
    __getattr__, __dir__ = imported_on_use(__name__)

__all__ = [
    "KINDS",
    "PROPERTIES",
    "BillTerms",
    "Charges",
    "Check",
    "ConfiguredMechanism",
    "Counterfactual",
    "CurveReader",
    "Fault",
    "HourlyMechanism",
    "Losses",
    "Mechanism",
    "Outcome",
    "PivotRule",
    "Pivots",
    "PriceMechanism",
    "Prices",
    "Rationality",
    "Readings",
    "Recomputed",
    "ReplayRule",
    "Replays",
    "Rounds",
    "Shares",
    "Waste",
    "WorkStarts",
    "charge",
    "check_charges",
    "check_externality",
    "check_monotonicity",
    "check_rationality",
    "check_relabelling",
    "check_truthfulness",
    "check_undisturbing",
    "check_value_blindness",
    "evidence_graph",
    "individual_rationality",
    "make_mechanism",
    "mechanism_names",
    "option",
    "rate_text",
    "rates_text",
    "read_rate",
    "read_rates",
    "recompute",
    "register",
    "statement",
    "write_charges",
    "write_statements",
]
