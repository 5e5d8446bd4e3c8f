"""How far a contract-risk reviewer can be trusted."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.jobs.review.preparation import prepare
    from assay.jobs.review.source import ReviewOptions
    from assay.jobs.review.spec import SPEC
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "ReviewOptions": "source",
            "SPEC": "spec",
            "prepare": "preparation",
        },
    )

__all__ = ["SPEC", "ReviewOptions", "prepare"]
