"""assay: measure question answering over documents, with numbers one can defend.

The public names are in the stub beside this file; docs/checks.md describes most of them. Each is
imported when it is first used, so that ``import assay`` costs next to nothing. What a package that
adds a scorer, a system or a job needs is in ``assay.plugin``.
"""

from assay.lazy import attach
from assay.moved import find_moved_modules

__version__ = "0.2.0"
__getattr__, __dir__, __all__ = attach(__name__, __file__)
find_moved_modules()
