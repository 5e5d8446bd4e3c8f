"""The public names of the package, and what importing it loads."""

import subprocess
import sys


def test_statistics_need_no_scipy():
    """Importing the package imports neither SciPy nor statsmodels, which are slow to import."""
    code = "import sys, assay.stats.analysis, assay.stats.sequence, assay.stats.corrected; print('scipy' in sys.modules or 'statsmodels' in sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "False"
