"""A rubric of the user: a Markdown file with rules in words and a list of levels.

The levels are the last list of the file, from the best to the worst or the other way round. Each
is a number, or a word with its score in brackets::

    # Tone
    The answer must be polite and must not promise anything.

    - 3: polite, promises nothing
    - 2: dry
    - 1: rude, or promises something
"""

import re
from pathlib import Path
from typing import Final

from assay.errors import UseError
from assay.judges.rubric.rubric import Rubric

FEWEST_LEVELS: Final = 2
LONGEST_RULES: Final = 20_000
_LEVEL: Final = re.compile(
    r"^[-*+]\s+`?(?P<level>[^\s:：(（`][^:：(（`]*?)`?\s*"
    r"(?:[(（]\s*(?P<score>-?\d+(?:\.\d+)?|\.\d+)\s*[)）])?\s*[:：]\s*\S"
)


def own_rubric(path: Path) -> Rubric:
    """Read a rubric; raises ``UseError`` that says what is missing."""
    try:
        text = path.read_text(encoding="utf-8-sig").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UseError(f"{path}: the rubric cannot be read: {error}") from None
    if len(text) > LONGEST_RULES:
        raise UseError(f"{path}: the rubric is longer than {LONGEST_RULES:,} characters")
    return Rubric(name=path.stem, prompt="own", scale=_scale(path, text), rules=text)


def _scale(path: Path, text: str) -> dict[str, float]:
    """The score of each level: as written, or evenly spread between the least and the largest."""
    levels = [match for line in _last_list(text) if (match := _LEVEL.match(line))]
    names = [match["level"].strip().casefold() for match in levels]
    if len(names) < FEWEST_LEVELS or len(set(names)) != len(names):
        raise UseError(
            f"{path}: a rubric ends with its scale, a list of at least two different levels, such "
            "as '- 3: good' or '- good (1.0): …'"
        )
    if all(match["score"] for match in levels):
        scores = [float(match["score"]) for match in levels]
        _refuse_other_scores(path, dict(zip(names, scores, strict=True)))
    else:
        scores = _numbers(path, names)
    least, most = min(scores), max(scores)
    if least == most:
        raise UseError(f"{path}: all levels of the rubric have the same score")
    if not all(match["score"] for match in levels):
        scores = [(score - least) / (most - least) for score in scores]
    return dict(zip(names, scores, strict=True))


def _refuse_other_scores(path: Path, scores: dict[str, float]) -> None:
    """A score is a share: verdicts with another one would be left out when they are read."""
    for name, score in scores.items():
        if not 0 <= score <= 1:
            raise UseError(
                f"{path}: the level {name!r} has the score {score:g}; write scores from 0 to 1"
            )


def _numbers(path: Path, names: list[str]) -> list[float]:
    try:
        return [float(name) for name in names]
    except ValueError:
        raise UseError(
            f"{path}: a level that is a word needs its score from 0 to 1 in brackets, such as "
            "'- good (1.0): …', and all levels need one"
        ) from None


def _last_list(text: str) -> list[str]:
    """The lines of the last list in the text; items may go on over several lines."""
    lines: list[str] = []
    for line in reversed(text.splitlines()):
        is_item = bool(re.match(r"[-*+]\s", line))
        if lines and not is_item and line.strip() and not line.startswith((" ", "\t")):
            break
        if is_item:
            lines.append(line)
    return lines[::-1]
