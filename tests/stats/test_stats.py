"""The public names of the package, and what importing it loads."""

import subprocess
import sys

import assay.stats


def test_all_names_are_there():
    """``__all__`` lists the public names and nothing else."""
    public = {
        name
        for name, value in vars(assay.stats).items()
        # pytest adds names that begin with @ to the modules it rewrites
        if not name.startswith(("_", "@"))
        and not hasattr(value, "__path__")
        and name not in _modules()
    }
    assert set(assay.stats.__all__) == public


def test_statistics_need_no_scipy():
    """Importing the package imports neither SciPy nor statsmodels, which are slow to import."""
    code = "import sys, assay.stats; print('scipy' in sys.modules or 'statsmodels' in sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "False"


def _modules() -> set[str]:
    """The names of the submodules, which Python adds to the namespace of the package."""
    return {
        name.removeprefix("assay.stats.") for name in sys.modules if name.startswith("assay.stats.")
    }
