"""``redact:`` of ``experiments.yaml``: values that must not leak."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

RedactMode = Literal["off", "outputs", "calls"]


class RedactConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is masked and where. The options --redact, --key and --no-key override it."""

    mode: Annotated[
        RedactMode,
        Meta(
            description="outputs: mask everything that is written or shown; calls: also what is "
            "sent to models and systems on other computers."
        ),
    ] = "outputs"
    words: Annotated[
        list[str], Meta(description="Your own words to mask, in any case of letters.")
    ] = []
    patterns: Annotated[
        list[str], Meta(description="Your own regular expressions (RE2) of values to mask.")
    ] = []
    names: Annotated[
        bool,
        Meta(description="Mask names of people and organisations too; needs the extra names."),
    ] = False
    key: Annotated[
        str | None,
        Meta(description="The file of the key, outside the workspace. Default: one per workspace."),
    ] = None
    no_key: Annotated[bool, Meta(description="Keep no key: nothing can turn the tags back.")] = (
        False
    )
