"""Rubrics: by what an answer is judged, and on which scale.

The prompts of a rubric are ``prompts/{zh,ru,en}/NAME.txt``. The text above the line ``---`` is the
system message, the text below it the user message.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from assay.data.jsonl import decode_problem, repeated_key
from assay.errors import UseError
from assay.mask import keyed_digest
from assay.records import digest
from assay.registry import nearest
from assay.text.language import Language, language
from assay.text.thought import without_first_thought

Need = Literal["expected", "passages"]
SHARED: Final = ("repair", "passage", "expected")
"""Prompts that belong to every rubric."""


class Rubric(Struct, frozen=True, kw_only=True):
    """What is asked about an answer.

    ``scale`` gives the score of each verdict, from 0 to 1; it is empty if the score follows from
    claims. ``needs`` is what an answer must have to be judged: an expected answer, or the texts of
    its passages. ``reads`` is what of them the prompt contains.
    ``all_or_not`` are the verdicts for claims that are all supported, and for others. ``rules`` is the text of a user's
    own rubric.
    """

    name: str
    prompt: str
    scale: Mapping[str, float] = {}
    needs: tuple[Need, ...] = ()
    reads: tuple[Need, ...] = ("expected", "passages")
    rules: str = ""
    all_or_not: tuple[str, str] = ("faithful", "unfaithful")

    @property
    def identity(self) -> str:
        """The name, and a hash of everything that shapes the prompts: a changed one is new."""
        texts = [
            prompt(language, name)
            for language in get_args(Language)
            for name in (self.prompt, *SHARED)
        ]
        return f"{self.name}#{digest([texts, dict(self.scale), self.rules])}"


RUBRICS: Final[Mapping[str, Rubric]] = {
    rubric.name: rubric
    for rubric in (
        Rubric(
            name="correctness",
            prompt="correctness",
            scale={"right": 1.0, "wrong": 0.0},
            needs=("expected",),
            reads=("expected",),
        ),
        Rubric(
            name="faithfulness", prompt="faithfulness", needs=("passages",), reads=("passages",)
        ),
        *(
            Rubric(
                name=name,
                prompt=name,
                needs=("passages",),
                reads=("passages",),
                all_or_not=("supported", "unsupported"),
            )
            for name in ("citation_precision", "citation_recall")
        ),
        Rubric(
            name="relevance",
            prompt="relevance",
            scale={"relevant": 1.0, "irrelevant": 0.0},
            reads=(),
        ),
        Rubric(
            name="abstention",
            prompt="abstention",
            scale={"abstains": 1.0, "answers": 0.0},
            reads=(),
        ),
    )
}
PREFERENCE: Final = Rubric(
    name="preference",
    prompt="preference",
    scale={"first": 1.0, "second": 0.0, "equal": 0.5},
)
"""The rubric of pairs: which of two answers is better."""


def rubric_named(name: str) -> Rubric:
    """A rubric of this package; raises ``UseError`` if there is none of this name."""
    if name not in RUBRICS:
        raise UseError(
            f"there is no rubric {name!r}{nearest(name, RUBRICS)}; use one of "
            f"{', '.join(RUBRICS)}, or the path of a Markdown file with your own"
        )
    return RUBRICS[name]


def reads_of(name: str) -> tuple[Need, ...]:
    """What the prompt of the rubric of this name contains; everything if it is a user's own."""
    return RUBRICS[name].reads if name in RUBRICS else PREFERENCE.reads


@cache
def prompt(language: Language, name: str) -> str:
    """The text of a prompt file."""
    path = files("assay.judge") / "prompts" / language / f"{name}.txt"
    return path.read_text(encoding="utf-8")


# Reading what a judge replied: one JSON object with a verdict of the scale, or nothing.
#
# Nothing is searched for in prose: "not correct" contains "correct". A fence around the whole reply
# is markup and is taken off. What cannot be read is ``Unreadable`` and never a score.

STATUSES: Final = ("supported", "contradicted", "absent")
_FENCED: Final = re.compile(r"\A```[\w-]*[ \t]*\n(.*?)\n?```\Z", re.DOTALL)
MOST_CLAIMS: Final = 200


class Unreadable(Exception):
    """The reply is not what was asked for; the message says why."""


class Claim(Struct, frozen=True, kw_only=True):
    """One claim of an answer, whether a passage says it, and the number of this passage."""

    claim: str
    status: str
    passage: int | None = None


class ReadVerdict(Struct, frozen=True, kw_only=True):
    """A verdict of the scale. ``score`` is ``None`` if the answer makes no claim."""

    label: str
    score: float | None
    reason: str = ""
    claims: tuple[Claim, ...] = ()


def read_verdict(text: str, rubric: Rubric, passages: int) -> ReadVerdict:
    """Read a reply; raises ``Unreadable``."""
    content = _json_object(text)
    return _claims(content, rubric, passages) if not rubric.scale else _level(content, rubric)


def _json_object(text: str) -> dict[str, Any]:
    stripped = without_first_thought(text).strip()
    fenced = _FENCED.match(stripped)
    if fenced:
        stripped = fenced[1].strip()
    if not stripped:
        raise Unreadable("it is empty")
    try:
        content = msgspec.json.decode(data := stripped.encode(errors="surrogatepass"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(_problem(stripped, error)) from None
    if not isinstance(content, dict):
        raise Unreadable("it is not a JSON object")
    if repeated := repeated_key(data):  # of two verdicts in one object, none is the judge's
        raise Unreadable(f'an object has "{repeated.key}" twice')
    return content


def _problem(text: str, error: Exception) -> str:
    """Why a reply is no JSON object."""
    if not text.startswith("{"):
        return "it is not a JSON object"
    problem = decode_problem(text.encode(errors="surrogatepass"), error)
    if problem == "Input data was truncated":
        return "the JSON object is not complete"
    return f"the JSON object cannot be read: {problem}"


def _level(content: dict[str, Any], rubric: Rubric) -> ReadVerdict:
    written = content.get("verdict")
    if isinstance(written, bool) or not isinstance(written, str | int | float):
        raise Unreadable('it has no "verdict"')
    label = _number_text(written) if not isinstance(written, str) else written.strip().casefold()
    if label not in rubric.scale:
        raise Unreadable(f"the verdict must be one of {', '.join(rubric.scale)}")
    reason = content.get("reason")
    return ReadVerdict(
        label=label,
        score=rubric.scale[label],
        reason=reason if isinstance(reason, str) else "",
    )


def _number_text(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else str(value)


def _claims(content: dict[str, Any], rubric: Rubric, passages: int) -> ReadVerdict:
    listed = content.get("claims")
    if not isinstance(listed, list) or len(listed) > MOST_CLAIMS:
        raise Unreadable('it has no list "claims"')
    claims = tuple(_claim(each, passages) for each in listed)
    reason = content.get("reason")
    supported = sum(claim.status == "supported" for claim in claims)
    label = rubric.all_or_not[supported < len(claims)] if claims else "no claims"
    return ReadVerdict(
        label=label,
        score=supported / len(claims) if claims else None,
        reason=reason if isinstance(reason, str) else "",
        claims=claims,
    )


def _claim(written: Any, passages: int) -> Claim:
    if not isinstance(written, dict) or not isinstance(written.get("claim"), str):
        raise Unreadable('a claim has no text under "claim"')
    status, passage = written.get("status"), written.get("passage")
    if status not in STATUSES:
        raise Unreadable(f"the status of a claim must be one of {', '.join(STATUSES)}")
    if status == "absent":
        return Claim(claim=written["claim"], status=status)
    if isinstance(passage, bool) or not isinstance(passage, int) or not 1 <= passage <= passages:
        raise Unreadable(f"the passage of a {status} claim must be a number from 1 to {passages}")
    return Claim(claim=written["claim"], status=status, passage=passage)


# What a judge said about an answer, as it is stored, and whether it can be true.

TIE: Final = "tie"
"""The verdict on a pair that depends on the order in which the answers are shown."""


class StoredVerdict(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a judge said, as it is stored in ``NAME.verdicts.jsonl``.

    ``score`` is ``None`` if the reply could not be read (``unparsed`` says why, and ``reply`` is
    the last reply), or if the answer makes no claim. ``repaired`` if only the second reply could
    be read. ``orders`` are the verdicts on a pair in both orders.
    """

    judge: str
    rubric: str
    label: str = ""
    score: Annotated[float, Meta(ge=0, le=1)] | None = None
    reason: str = ""
    claims: tuple[Claim, ...] = ()
    unparsed: str = ""
    reply: str = ""
    repaired: bool = False
    orders: tuple[str, ...] = ()


class DamagedVerdict(ValueError):
    """A stored verdict that no judge can have given; the message says why."""


def read_finding(value: Any) -> StoredVerdict:
    """The finding of a stored verdict; raises ``DamagedVerdict``.

    >>> read_finding({"judge": "correct", "rubric": "correctness", "label": "right", "score": 0})
    Traceback (most recent call last):
    assay.judge.rubric.DamagedVerdict: the verdict 'right' contradicts the score 0
    """
    try:
        finding = msgspec.convert(value, StoredVerdict)
    except msgspec.ValidationError as error:
        raise DamagedVerdict(str(error)) from None
    if not _agrees(finding):
        score = "none" if finding.score is None else f"{finding.score:g}"
        raise DamagedVerdict(f"the verdict {finding.label!r} contradicts the score {score}")
    return finding


def _agrees(finding: StoredVerdict) -> bool:
    """Whether the word of the verdict goes with its score, as far as the scale is known."""
    if finding.unparsed:
        return finding.score is None
    by_claims = RUBRICS.get(finding.rubric)
    if by_claims is not None and not by_claims.scale:
        supported, unsupported = by_claims.all_or_not
        if finding.label == unsupported:
            return finding.score is not None and finding.score < 1
        expected = {supported: 1, "no claims": None}
        return finding.label not in expected or finding.score == expected[finding.label]
    known = _SCALES.get(finding.rubric, {})
    return finding.label not in known or finding.score == known[finding.label]


_SCALES: Final[Mapping[str, Mapping[str, float]]] = {
    **{name: rubric.scale for name, rubric in RUBRICS.items()},
    PREFERENCE.name: {**PREFERENCE.scale, TIE: 0.5},
}


# A rubric of the user: a Markdown file with rules in words and a list of levels.
#
# The levels are the last list of the file, from the best to the worst or the other way round. Each
# is a number, or a word with its score in brackets::
#
#     # Tone
#     The answer must be polite and must not promise anything.
#
#     - 3: polite, promises nothing
#     - 2: dry
#     - 1: rude, or promises something

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


# The messages that put an answer to a judge.
#
# What comes from outside is enclosed in a mark that is computed from its content, and the prompt
# says that it is data. The judge sees the question, the answer, the expected answer and the texts
# of the passages; it never sees the name of a variant, of a document or of a system.

Messages = list[dict[str, str]]
_SLOT: Final = re.compile(r"\{\{(\w+)\}\}")


class JudgeInput(Struct, frozen=True, kw_only=True):
    """What is judged. ``other`` is the second answer if two are compared."""

    question: str
    answer: str
    expected: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()
    other: str = ""

    @property
    def language(self) -> Language:
        """The language of the question: that of the prompt."""
        return language(self.question)


def messages(rubric: Rubric, subject: JudgeInput) -> Messages:
    """The messages of the first attempt."""
    read = [subject.question, subject.answer, subject.other]
    read += subject.expected if "expected" in rubric.reads else ()
    read += subject.passages if "passages" in rubric.reads else ()
    content = "\0".join(read).encode(errors="surrogatepass")
    fence = f"data-{keyed_digest(content)}"
    expected = "\n".join(subject.expected)
    slots = {
        "fence": fence,
        "question": subject.question,
        "answer": subject.answer,
        "other": subject.other,
        "expected": expected,
        "expectation": _block(subject, "expected", fence, expected) if expected else "",
        "passages": "".join(
            _block(subject, "passage", fence, text, number)
            for number, text in enumerate(subject.passages, 1)
        ).rstrip("\n"),
        "rules": rubric.rules,
        "levels": ", ".join(f'"{level}"' for level in rubric.scale),
        "level": next(iter(rubric.scale), ""),
    }
    system, _, user = prompt(subject.language, rubric.prompt).partition("\n---\n")
    return [
        {"role": "system", "content": filled(system.strip(), slots)},
        {"role": "user", "content": filled(user.strip(), slots)},
    ]


def request_text(rubric: Rubric, subject: JudgeInput) -> str:
    """All that is sent about a subject, as one text: to count its tokens."""
    return "\n".join(message["content"] for message in messages(rubric, subject))


def repair_messages(asked: Messages, reply: str, problem: str, name: Language) -> Messages:
    """The messages of the second attempt, after a reply that could not be read."""
    request = filled(prompt(name, "repair").strip(), {"problem": problem})
    return [
        *asked,
        {"role": "assistant", "content": reply},
        {"role": "user", "content": request},
    ]


def filled(text: str, slots: Mapping[str, str]) -> str:
    """The text with its slots filled in one pass, so that a slot inside of data stays as it is.

    >>> filled("{{a}} {{b}}", {"a": "{{b}}", "b": "1"})
    '{{b}} 1'
    """
    return _SLOT.sub(lambda match: slots[match[1]], text)


def _block(subject: JudgeInput, name: str, fence: str, text: str, number: int = 0) -> str:
    slots = {"fence": fence, "text": text, "number": str(number)}
    return filled(prompt(subject.language, name), slots)
