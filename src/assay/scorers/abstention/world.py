"""What the world does not know: an answer, and no refusal.

"Its author is unknown to this day" and "Historians do not know who built it" tell what the text says.
They are no refusals, unlike "The text does not say who built it".
"""

from collections.abc import Sequence
from typing import Final

from assay.scorers.abstention import context
from assay.scorers.abstention.part import pauses
from assay.scorers.abstention.stretch import Stretch
from assay.text import Ranges
from assay.text.lexicon import ScriptPattern

_WORLD: Final = ScriptPattern("context.world")


def without_world(
    sentence: str, start: int, end: int, stretches: Sequence[Stretch]
) -> list[Stretch]:
    """The ``stretches`` of a statement, in lower case, but those that say what nobody knows.

    If a statement says nothing else, they are kept: "To this day a mystery" tells nothing. What
    stands beside them is about the same, unless it speaks of a text or of the speaker: "Its author is
    unknown: scholars have never identified him".

    >>> sentence = "the author is unknown to this day."
    >>> without_world(sentence, 0, len(sentence), [Stretch(11, 21)])
    []
    """
    world = _world(sentence, start, end)
    if not world:
        return list(stretches)
    own = [part for part in pauses(sentence, start, end) if _is_own(sentence[slice(*part)])]
    of_world, of_text = Ranges(world), Ranges(own)
    return [s for s in stretches if not of_world.overlap(*s) and s.start in of_text]


def tells_world(statement: str) -> bool:
    """Whether ``statement``, in lower case, tells what nobody knows, and of what.

    >>> tells_world("historians do not know who built it")
    True
    """
    return bool(_world(statement, 0, len(statement)))


def _world(sentence: str, start: int, end: int) -> list[Stretch]:
    found = (Stretch(*match.span()) for match in _WORLD.finditer(sentence, start, end))
    return [stretch for stretch in found if stretch.end - stretch.start < end - start]


def _is_own(part: str) -> bool:
    """Whether a part speaks of a text or of the speaker."""
    patterns = (context.DOCUMENT, context.SOURCE, context.SPEAKING)
    return any(pattern.search(part) for pattern in patterns)
