"""What the package offers."""

import subprocess
import sys

import assay.stats


def test_all_names_are_there():
    """``__all__`` lists the public names and nothing else."""
    public = {
        name
        for name, value in vars(assay.stats).items()
        # pytest marks what it rewrites with names that begin with @
        if not name.startswith(("_", "@"))
        and not hasattr(value, "__path__")
        and name not in _modules()
    }
    assert set(assay.stats.__all__) == public


def test_statistics_need_no_scipy():
    """Loading the package loads neither SciPy nor statsmodels, which cost more than it does."""
    code = "import sys, assay.stats; print('scipy' in sys.modules or 'statsmodels' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def _modules() -> set[str]:
    """The submodules, which Python puts into the namespace."""
    return {
        name.removeprefix("assay.stats.") for name in sys.modules if name.startswith("assay.stats.")
    }
