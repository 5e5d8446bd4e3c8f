"""Depth: where in a long context a model stops finding what it was given."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.jobs.depth.preparation import DepthOptions, prepare
    from assay.jobs.depth.sample import LENGTHS
    from assay.jobs.depth.spec import SPEC
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "DepthOptions": "preparation",
            "LENGTHS": "sample",
            "SPEC": "spec",
            "prepare": "preparation",
        },
    )

__all__ = ["LENGTHS", "SPEC", "DepthOptions", "prepare"]
