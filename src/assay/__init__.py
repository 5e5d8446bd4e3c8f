"""assay: measure question answering over documents, with numbers one can defend.

The package keeps its top level empty so that ``import assay`` costs next to nothing.
Start from the layer you need: ``assay.records`` (the vocabulary), ``assay.systems``
(what can be asked), ``assay.runner`` (how cases are run and recorded).
"""

__version__ = "0.1.0"
