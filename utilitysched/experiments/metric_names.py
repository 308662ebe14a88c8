"""Names of the metrics of bills and audits in experiments, and their titles in tables."""

from utilitysched.analysis.metrics.catalogue import Metric

BILL_METRICS = {
    metric.name: metric
    for metric in (
        Metric("jobs_billed", "jobs billed"),
        Metric("revenue", "revenue", "SU"),
        Metric("revenue_share", "revenue over value"),
        Metric("revenue_per_hour", "revenue per processor-hour", "SU"),
        Metric("jobs_free", "jobs free"),
        Metric("share_free", "share of jobs free"),
        Metric("jobs_overcharged", "jobs overcharged"),
        Metric("share_overcharged", "share of jobs overcharged"),
        Metric("overcharge", "overcharge", "SU"),
        Metric("charge_error", "standard error of a charge", "SU"),
    )
}
"""Metrics of `utilitysched.experiments.measures.bill_metrics`, by name, in the order of columns."""

AUDIT_METRICS = {
    metric.name: metric
    for metric in (
        Metric("jobs_audited", "jobs"),
        Metric("value_lie_gain", "gain by the best misreport of value", "SU"),
        Metric("value_lie_share", "share of jobs misreporting"),
        Metric("lie_gain", "gain by the best misreport", "SU"),
        Metric("lie_share", "share of jobs misreporting"),
        Metric("placebo_gain", "gain by the truth under other seeds", "SU"),
        Metric("true_value", "value under the truth", "SU"),
    )
}
"""Metrics of audits, means over their jobs, by name, in the order of columns."""
