"""Reports: runs as a page with charts that can be pointed at and zoomed, in one file, offline."""

from utilitysched.report.html.report import report_page, write_report

__all__ = ["report_page", "write_report"]
