"""What the world does not know: an answer, and no refusal.

"Its author is unknown to this day" and "Historians do not know who built it" tell what the text says.
They are no refusals, unlike "The text does not say who built it".
"""

from collections.abc import Sequence
from typing import Final

from assay.scorers.abstention.part import Stretch
from assay.text.lexicon import ScriptPattern

_WORLD: Final = ScriptPattern("context.world")


def without_world(
    sentence: str, start: int, end: int, stretches: Sequence[Stretch]
) -> list[Stretch]:
    """The ``stretches`` of a statement, in lower case, but those that say what nobody knows.

    If a statement says nothing else, they are kept: "To this day a mystery" tells nothing.

    >>> sentence = "the author is unknown to this day."
    >>> without_world(sentence, 0, len(sentence), [Stretch(11, 21)])
    []
    """
    found = (match.span() for match in _WORLD.finditer(sentence, start, end))
    world = [(begin, to) for begin, to in found if to - begin < end - start]
    return [s for s in stretches if not any(s.start < to and begin < s.end for begin, to in world)]
