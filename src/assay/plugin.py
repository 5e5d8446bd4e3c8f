"""What a package needs that adds a scorer, a system or a job to assay: docs/extend.md.

The names are in the stub beside this file. They keep their place while files move.
"""

from assay.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
