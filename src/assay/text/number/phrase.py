"""Numbers that are fixed phrases: a baker's dozen, пол-литра, 一半, a quarter of the estate."""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache

from assay.text.lexicon import expressions, languages_of, word_list
from assay.text.number.candidate import Reading


@cache
def _phrases(languages: tuple[str, ...]) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """One expression for all phrases, and the value of each of its groups ``p0``, ``p1``."""
    lines = [line.split(" ", 1) for line in expressions("number.phrases", *languages)]
    groups = (f"(?P<p{index}>{phrase})" for index, (_, phrase) in enumerate(lines))
    # First letters come first, because these are tried at every letter of a text.
    start = "".join(expressions("number.phrase_start", *languages))
    pattern = re.compile(rf"(?=[{start}])(?:{'|'.join(groups)})", re.IGNORECASE)
    return pattern, tuple(value for value, _ in lines)


@cache
def _parts(languages: tuple[str, ...]) -> tuple[str, ...]:
    return word_list("number.phrase_parts", *languages)


def phrases(text: str) -> Iterator[Reading]:
    """Yield the numbers that are fixed phrases of a surface text, from left to right."""
    languages = languages_of(text)
    if not languages:
        return
    lower = text.lower()
    # Most texts have none of these letters, and looking for them is much faster.
    if not any(part in lower for part in _parts(languages)):
        return
    pattern, values = _phrases(languages)
    for match in pattern.finditer(text):
        found = next(value for i, value in enumerate(values) if match[f"p{i}"] is not None)
        number = Decimal(found.rstrip("%"))
        yield Reading(
            match.start(),
            match.end(),
            number,
            percent=found.endswith("%"),
            readable=not number.is_nan(),
        )
