"""What a sentence of an answer is beside its words: where it stands, and whether it has what is asked for.

"The deposit is not listed" and "The rent is 5,000" may stand in one answer. Which of them counts depends
on the question: whether it asks for a figure or a name that one of them has, and which of them repeats
more of its words.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import astuple

from assay.scorers.abstention.question import Focus

_NAME: Final = re.compile(r"(?<=[\w,;»”] )[A-ZА-ЯЁ][a-zа-яё]+")
"""A word with a capital letter that does not begin a sentence."""
_QUOTED: Final = re.compile(r"[\"“«「『]")
_MEASURED: Final = frozenset({"number", "amount", "date", "duration"})
_NAMED: Final = frozenset({"person", "place"})
_BRIEF: Final = 6
_BRIEF_FIRST: Final = 5
"""A first sentence of so few marks is often the answer: "Gate B7. I could not find the time."."""
_LONG: Final = 25


class Setting(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The setting of a sentence: each field is 1 if it holds, else 0, or a share.

    The fields from ``is_asked`` on are about a question: whether there is one, whether the sentence has the
    figure or the name that it asks for, whether it is one of yes or no, and how much of it the sentence
    repeats. The weights of the fields are a setting, too.
    """

    any: float = 0.0
    first: float = 0.0
    last: float = 0.0
    only: float = 0.0
    brief_first: float = 0.0
    brief: float = 0.0
    long: float = 0.0
    figure: float = 0.0
    name: float = 0.0
    quotation: float = 0.0
    colon: float = 0.0
    question_mark: float = 0.0
    is_asked: float = 0.0
    figure_asked: float = 0.0
    figure_lacking: float = 0.0
    name_asked: float = 0.0
    name_lacking: float = 0.0
    news_lacking: float = 0.0
    polar: float = 0.0
    polar_first: float = 0.0
    several: float = 0.0
    two: float = 0.0
    existence: float = 0.0
    reason: float = 0.0
    repeated: float = 0.0
    nothing_repeated: float = 0.0
    most_repeated: float = 0.0

    def times(self, weights: "Setting") -> float:
        """The sum of the fields, each times its weight."""
        pairs: Iterable[tuple[float, float]] = zip(astuple(self), astuple(weights), strict=True)
        return sum(value * weight for value, weight in pairs)


def settings(
    texts: Sequence[str],
    counts: Sequence[int],
    repeated: Sequence[float],
    has_figure: Sequence[bool],
    asked: tuple[str, Focus] | None,
) -> list[Setting]:
    """The settings of the sentences of an answer.

    ``counts`` are the numbers of their marks, ``repeated`` the share of the question that each repeats, and
    ``has_figure`` says whether a sentence has a figure that the question has not.
    """
    known = frozenset(_NAME.findall(asked[0])) if asked else frozenset()
    most, last = max(repeated, default=0.0), len(texts) - 1
    result = []
    for number, text in enumerate(texts):
        is_first, count, figure = number == 0, counts[number], has_figure[number]
        name = any(found not in known for found in _NAME.findall(text))
        about = (
            _about(asked[1], figure, name, is_first, repeated[number], most, last) if asked else {}
        )
        result.append(
            Setting(
                any=1.0,
                first=float(is_first),
                last=float(number == last),
                only=float(last == 0),
                brief_first=float(is_first and last > 0 and count <= _BRIEF_FIRST),
                brief=float(count <= _BRIEF),
                long=float(count >= _LONG),
                figure=float(figure),
                name=float(name),
                quotation=float(_QUOTED.search(text) is not None),
                colon=float(":" in text or "：" in text),
                question_mark=float("?" in text or "？" in text),
                **about,
            )
        )
    return result


def _about(
    focus: Focus,
    figure: bool,
    name: bool,
    is_first: bool,
    repeated: float,
    most: float,
    last: int,
) -> dict[str, float]:
    """The fields of a setting that are about the question."""
    measured, named = bool(focus.kinds & _MEASURED), bool(focus.kinds & _NAMED)
    return {
        "is_asked": 1.0,
        "figure_asked": float(measured and figure),
        "figure_lacking": float(measured and not figure),
        "name_asked": float(named and name),
        "name_lacking": float(named and not name),
        "news_lacking": float(focus.asks_detail and not figure and not name),
        "polar": float(focus.is_polar),
        "polar_first": float(focus.is_polar and is_first),
        "several": float(focus.asks_several),
        "two": float(focus.asks_two),
        "existence": float(focus.asks_existence or focus.expects_absence),
        "reason": float(focus.asks_reason),
        "repeated": repeated,
        "nothing_repeated": float(not repeated),
        "most_repeated": float(last > 0 and repeated > 0 and repeated == most),
    }
