"""Questions about one statement, written by the rules of its language."""

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from assay.questions.draft.draft import Kind
from assay.questions.draft.statement import (
    EDGE,
    Letters,
    QuestionRule,
    Statement,
    Wording,
    asked_at_end,
    english_question,
    fronted,
    has_paired_quotes,
    in_situ,
    names_something,
    text_size,
    wording,
)
from assay.text.normalise import Span
from assay.text.search_term import stem, tagged_words

_WORD: Final = re.compile(r"\w{4,}")
YEAR: Final = re.compile(r"(?<![\d–—-])(?:1\d{3}|20\d{2})(?!\d|-х|s\b|\s?[–—-]\s?\d)")
_ANY_YEAR: Final = re.compile(r"(?<!\d)(?:1\d{3}|20\d{2})(?!\d)")
_FEWEST_OF_A_TERM: Final = 3


class Written(Struct, frozen=True, kw_only=True):
    """A question about a statement, and the answer as the statement has it.

    ``slot`` is the part of the statement that the question leaves out. ``is_event`` says that this
    part is when something happened.
    """

    kind: Kind
    text: str
    answer: str
    slot: Span
    is_event: bool = False


def questions_about(statement: Statement, letters: Letters) -> Iterator[Written]:
    """All questions that the rules make of a statement, the better ones of a part first."""
    words = wording(statement.language)
    taken: list[Span] = []
    for rule in words.rules:
        for match in rule.matches(statement.text):
            slot = rule.slot(match)
            if any(slot.start < other.end and other.start < slot.end for other in taken):
                continue
            text = _question(statement, rule, match, letters)
            answer = match["answer"].strip(EDGE)
            if (
                text is not None
                and _is_sound(text, answer, rule)
                and _is_natural(text, words)
                and (not (rule.kind == "date" or rule.is_person) or names_something(text, words))
            ):
                if rule.form != "rewrite":
                    taken.append(slot)
                yield Written(
                    kind=rule.kind,
                    text=text,
                    answer=answer,
                    slot=slot,
                    is_event=rule.is_event,
                )


def _question(
    statement: Statement, rule: QuestionRule, match: re.Match[str], letters: Letters
) -> str | None:
    words = wording(statement.language)
    if rule.is_person and not _is_person(match["answer"], words):
        return None
    if rule.form == "rewrite":
        return _rewritten(rule, match, letters, words)
    if rule.kind == "date" and _has_two_times(statement.text):
        return None
    slot = rule.slot(match)
    ask = match.expand(rule.ask)
    if rule.form == "situ":
        return in_situ(statement, rule, slot, ask, words)
    if rule.form == "front":
        verb = statement.text[match.start() : slot.start].strip()
        return fronted(statement, slot, verb, ask, letters, words)
    if rule.form == "end":
        return asked_at_end(statement, slot, ask, letters, words)
    return english_question(statement, rule, slot, ask, letters, words)


def _has_two_times(text: str) -> bool:
    """Whether a sentence speaks of two times, so that a question could mean either."""
    return len(_ANY_YEAR.findall(text)) > 1


def _rewritten(
    rule: QuestionRule, match: re.Match[str], letters: Letters, words: Wording
) -> str | None:
    groups = match.groupdict()
    ask = rule.ask
    if "{subject}" in ask:
        subject = letters.inside(groups["subject"])
        if subject is None or _is_person(groups["subject"], words) or not _is_term(subject, words):
            return None
        if words.verbs is not None and _may_be_person(subject, groups.get("be", "")):
            return None
        groups["subject"] = subject
    text = match.expand(ask).replace("{subject}", groups.get("subject") or "")
    text = text.replace("{type}", (groups.get("type") or "").lower())
    cut = words.statement["cut"].search(text) if "cut" in words.statement else None
    return text if cut is None else f"{text[: cut.start()]}?"


def _is_person(answer: str, words: Wording) -> bool:
    parts = answer.split()
    return any(part in words.given_names for part in parts[:2])


def _is_term(subject: str, words: Wording) -> bool:
    """Whether a subject says what it means: not "a city", not "the collection", and is no clause."""
    if words.language == "zh":
        *tags, last = (tag for _, tag in tagged_words(subject))
        return last[0] in "nvx" and all(tag[0] in "namqx" or tag in {"eng", "vn"} for tag in tags)
    if words.verbs is None:
        return True
    parts = subject.split()
    if parts[0] in {"a", "an"}:
        return len(parts) >= _FEWEST_OF_A_TERM
    return parts[0] != "the" or subject != subject.lower()


def _may_be_person(subject: str, verb: str) -> bool:
    """Whether "what" may be the wrong word: for names of several words, and for who was.

    >>> _may_be_person("Abu Barrow", "is"), _may_be_person("Internet", "is")
    (True, False)
    """
    if subject.split(maxsplit=1)[0] in {"a", "an", "the"}:
        return False
    capitals = [word for word in subject.split() if word[0].isupper()]
    return len(capitals) > 1 or (bool(capitals) and verb == "was")


def _is_natural(text: str, words: Wording) -> bool:
    """Whether a question is short, and of one clause: people do not ask in several."""
    is_short = text_size(text, words.language) <= int(words.statement["longest_question"])
    return is_short and has_paired_quotes(text) and not words.statement["unnatural"].search(text)


def _is_sound(text: str, answer: str, rule: QuestionRule) -> bool:
    """Whether a question does not contain its answer."""
    if answer.casefold() in text.casefold():
        return False
    known = {stem(word.lower()) for word in _WORD.findall(text)}
    parts = [stem(word.lower()) for word in _WORD.findall(answer)]
    return rule.kind != "fact" or known.isdisjoint(parts[:1] if rule.is_definition else parts)
