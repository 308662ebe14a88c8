from __future__ import annotations

import subprocess
import sys


def test_metrics_are_there_without_being_imported_first() -> None:
    code = "import sys, utilitysched as u; assert 'numpy' not in sys.modules; u.metrics.summary"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
