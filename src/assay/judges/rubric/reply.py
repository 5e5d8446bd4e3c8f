"""Reading what a judge replied: one JSON object with a verdict of the scale, or nothing.

Nothing is searched for in prose: "not correct" contains "correct". A fence around the whole reply
is markup and is taken off. What cannot be read is ``Unreadable`` and never a score.
"""

import re
from typing import Any, Final

import msgspec
from msgspec import Struct

from assay.data.jsonl import decode_problem
from assay.data.repeated_key import repeated_key
from assay.judges.rubric.rubric import Rubric
from assay.text import without_first_thought

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
    return _claims(content, passages) if not rubric.scale else _level(content, rubric)


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


def _claims(content: dict[str, Any], passages: int) -> ReadVerdict:
    listed = content.get("claims")
    if not isinstance(listed, list) or len(listed) > MOST_CLAIMS:
        raise Unreadable('it has no list "claims"')
    claims = tuple(_claim(each, passages) for each in listed)
    reason = content.get("reason")
    supported = sum(claim.status == "supported" for claim in claims)
    label = "no claims" if not claims else "faithful" if supported == len(claims) else "unfaithful"
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
