"""The section ``judges`` of ``experiments.yaml``: models that judge recorded answers."""

from typing import Annotated

from msgspec import Meta, Struct


class JudgeConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A judge: ``assay judge RUN --judge NAME`` asks its model about every recorded answer."""

    model: Annotated[
        str,
        Meta(
            min_length=1,
            description="The name of an entry under 'models', or of a model at a known provider.",
        ),
    ]
    rubric: Annotated[
        str,
        Meta(
            min_length=1,
            description="correctness, faithfulness, relevance, abstention, or the path of a "
            "Markdown file with your own rules and scale.",
        ),
    ] = "correctness"
