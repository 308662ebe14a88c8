"""A table with everything that has to be escaped or left out somewhere."""

from __future__ import annotations

from swfx.base.numbers import percent, whole
from utilitysched.analysis.documents import Column, Estimate, ResultTable
from utilitysched.report.tables import estimate_text

TABLE = ResultTable(
    columns=(
        Column("candidate", left=True),
        Column("mean wait", "s", whole),
        Column("share", write=percent),
        Column("ratio [95%]", write=estimate_text),
    ),
    rows=(
        ("easy", 5372.25, 1 / 3, Estimate(1.0)),
        ("ga:a_b=-1|x", -822.0, None, Estimate(1.163821, 1.10213, 1.23021)),
        ("none", None, 0.5, Estimate(None)),
    ),
    caption="Jobs & 5% of {them}",
    notes=("p < 0.05", "a_b: -1 is off"),
)
