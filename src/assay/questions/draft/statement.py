"""Sentences that can be understood alone, and how their first word is written inside another one.

What a language needs for drafts without a model is in a TOML file of this folder; the comment at the top
of ``en.toml`` explains it.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from assay.questions.draft.draft import Kind
from assay.text.character import HAN
from assay.text.language import Language, language
from assay.text.normalise import Span
from assay.text.search_term import stem, tagged_words
from assay.text.sentence import sentences

Form: TypeAlias = Literal["when", "what", "rewrite", "front", "end", "situ"]
_REFERENCE: Final = re.compile(r"\{([a-z_]+)\}")
_NEVER: Final = re.compile(r"(?!)")


class QuestionRule(Struct, frozen=True, kw_only=True):
    """How a question asks for one part of a sentence; ``en.toml`` explains the fields."""

    kind: Kind
    form: Form
    find: re.Pattern[str]
    ask: str = ""
    not_after: re.Pattern[str]
    not_before: re.Pattern[str]
    is_event: bool = False
    is_person: bool = False
    is_definition: bool = False
    is_fronted: bool = False
    replaces_answer: bool = False

    def slot(self, match: re.Match[str]) -> Span:
        """The part of the sentence that the question leaves out."""
        named = "answer" if self.replaces_answer else "slot"
        group = named if named in self.find.groupindex else 0
        return Span(start=match.start(group), end=match.end(group))

    def matches(self, sentence: str) -> list[re.Match[str]]:
        """Where the rule applies in a sentence."""
        return [
            match
            for match in self.find.finditer(sentence)
            if not self.not_after.search(sentence[: match.start()])
            and not self.not_before.search(sentence[match.end() :])
        ]


class Verbs(Struct, frozen=True, kw_only=True):
    """English verbs: the base of each past form, and the words that a question puts first."""

    past: dict[str, str]
    auxiliaries: frozenset[str]
    perfect: frozenset[str]
    participle: re.Pattern[str]
    not_in_subject: re.Pattern[str]


class TableWords(Struct, frozen=True, kw_only=True):
    """How a question asks for a cell of a table; the first expression that is found decides."""

    question: str
    which: tuple[tuple[re.Pattern[str], str], ...]
    header: tuple[tuple[re.Pattern[str], str], ...]


class Wording(Struct, frozen=True, kw_only=True):
    """The rules and the words of one language."""

    language: Language
    rules: tuple[QuestionRule, ...]
    statement: dict[str, Any]
    lower: frozenset[str]
    common: re.Pattern[str]
    unclear: re.Pattern[str]
    given_names: frozenset[str]
    table: TableWords
    choice: dict[str, Any]
    verbs: Verbs | None = None


@cache
def wording(language: Language) -> Wording:
    """The wording of a language, read once."""
    path = files("assay.questions.draft").joinpath("wordings", f"{language}.toml")
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    verbs = _verbs(content["inversion"]) if "inversion" in content else None
    words: dict[str, str] = {}
    if verbs is not None:
        words["past"] = f"(?:{'|'.join(sorted(verbs.past))})"
    for name, value in content["words"].items():
        words[name] = _expand(value, words)
    statement = {
        name: re.compile(_expand(value, words)) if isinstance(value, str) else value
        for name, value in content["statement"].items()
        if name != "name_tags"
    }
    statement["name_tags"] = frozenset(content["statement"].get("name_tags", "").split())
    case = content.get("case", {})
    return Wording(
        language=language,
        rules=tuple(_rule(rule, words) for rule in content["rule"]),
        statement=statement,
        lower=frozenset(case.get("lower", "").split()),
        common=re.compile(case.get("common", "(?!)")),
        unclear=re.compile(case.get("unclear", "")),
        given_names=frozenset(content["person"]["given"].split()),
        table=_table(content["table"], words),
        choice=content["choice"],
        verbs=verbs,
    )


def _expand(text: str, words: dict[str, str]) -> str:
    return _REFERENCE.sub(lambda match: words.get(match[1], match[0]), text)


def _rule(fields: dict[str, Any], words: dict[str, str]) -> QuestionRule:
    patterns = {
        name: re.compile(_expand(fields[name], words)) if name in fields else _NEVER
        for name in ("find", "not_after", "not_before")
    }
    return QuestionRule(**{**fields, **patterns})


def _table(content: dict[str, Any], words: dict[str, str]) -> TableWords:
    found = {
        name: tuple((re.compile(_expand(find, words)), to) for find, to in content.get(name, ()))
        for name in ("which", "header")
    }
    return TableWords(question=content["question"], **found)


def _verbs(content: dict[str, str]) -> Verbs:
    doubled = frozenset(content["doubled"].split())
    past = {_past(base, doubled): base for base in content["regular"].split()}
    for pair in content["irregular"].split():
        base, form = pair.split(":")
        past.pop(_past(base, doubled), None)
        past[form] = base
    return Verbs(
        past=past,
        auxiliaries=frozenset(content["auxiliary"].split()),
        perfect=frozenset(content["perfect"].split()),
        participle=re.compile(content["participle"]),
        not_in_subject=re.compile(content["not_in_subject"]),
    )


def _past(base: str, doubled: frozenset[str]) -> str:
    """The regular past form of an English verb.

    >>> [_past(base, frozenset({"stop"})) for base in ("move", "carry", "stop", "play")]
    ['moved', 'carried', 'stopped', 'played']
    """
    if base.endswith("e"):
        return f"{base}d"
    if base.endswith("y") and base[-2] not in "aeiou":
        return f"{base[:-1]}ied"
    return f"{base}{base[-1]}ed" if base in doubled else f"{base}ed"


# Parts of a sentence put together again: with one left out, or with a capital letter.

EDGE: Final = ",，;； "
"""What may be left over at the edges of a part."""
_END: Final = re.compile(r"[\s,，]*[.。]$")
_HAN: Final = re.compile(f"[{HAN}]")


def without_end(text: str) -> str:
    """A sentence without the point at its end."""
    return _END.sub("", text)


def without(text: str, slot: Span) -> str:
    """A sentence without one of its parts and without the point at its end.

    >>> without("In 1874, the bridge was opened.", Span(start=0, end=7))
    'the bridge was opened'
    """
    before = text[: slot.start].rstrip(EDGE)
    after = without_end(text[slot.end :])
    if not before:
        return after.strip(EDGE)
    joint = "" if after[:1] in {",", "，", ""} or _HAN.match(before[-1]) else " "
    return f"{before}{joint}{after.lstrip()}".rstrip(EDGE)


def capitalised(text: str) -> str:
    """A text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


LONGEST_SENTENCE: Final = 600
"""Characters of a sentence that is looked at; what is longer is a list or a table."""
_NOTE: Final = re.compile(r"\s*\[[^\[\]]*\]")
_BRACKET: Final = re.compile(r"\s*[(（][^()（）]*[)）]")
_NUMBER: Final = re.compile(
    r"[(（]?(?:\d{1,3}|[a-zа-яё]|[一二三四五六七八九十]{1,3})(?:[)）、]|\.(?=\s))\s*"
    r"|第[\d一二三四五六七八九十百]+[^\s\d]\s+|[^\W\d_]+ \d+(?:\.\d+)*\.\s+(?=[^\W\d_])"
)
_SPACES: Final = re.compile(r"\s+")
_HAN_SPACE: Final = re.compile(rf"(?<=[{HAN}，。、《》·])\s+|\s+(?=[{HAN}，。、《》·])")
_WORD: Final = re.compile(r"[^\W\d_][\w’'-]*")
_UNBALANCED: Final = re.compile(r"[()（）\[\]{}<>|*_#=\\/×^]")
_QUOTES: Final = ("“”", "«»", "「」", "《》")
_ABBREVIATED: Final = re.compile(r"(?<!\d)\b[a-zа-яё]{1,2}\.$")
_MIDDLE: Final = re.compile(r"(?<=[\w,] )[A-ZА-ЯЁ][\w’'-]*")


class Letters:
    """Which words of a text are written with a small letter, and which are names."""

    def __init__(self, text: str, words: Wording) -> None:
        self._small = frozenset(
            stem(word.lower()) for word in set(_WORD.findall(text)) if word[0].islower()
        )
        self._names = frozenset(_MIDDLE.findall(text))
        self._wording = words

    def begins_with_name(self, clause: str) -> bool:
        """Whether the first word of a clause is a name, as far as the text shows."""
        match = _WORD.match(clause)
        if match is None or not match[0][0].isupper():
            return False
        word = match[0]
        is_known = word in self._names or word in self._wording.given_names
        return is_known and stem(word.lower()) not in self._small

    def inside(self, clause: str) -> str | None:
        """A clause as it is written inside a sentence; None if that is not known."""
        match = _WORD.match(clause)
        if self._wording.language == "zh" or match is None or not match[0][0].isupper():
            return clause
        word = match[0]
        if word in self._wording.lower:
            return word[0].lower() + clause[1:]
        if word in self._wording.given_names or word[1:].lower() != word[1:]:
            return clause
        follows_name = clause[match.end() + 1 : match.end() + 2].isupper()
        if follows_name and self._wording.language == "en":
            return clause
        is_small = stem(word.lower()) in self._small
        if is_small != (word in self._names):
            return word[0].lower() + clause[1:] if is_small else clause
        if not is_small and self._wording.common.search(word) and not follows_name:
            return word[0].lower() + clause[1:]
        if self._wording.language == "ru" and not is_small and not follows_name:
            return None  # a noun like any other, or a name: nothing says which
        return clause if not is_small and not self._wording.unclear.search(word) else None


class Statement(Struct, frozen=True, kw_only=True):
    """A sentence that can be understood alone.

    ``text`` is without notes and brackets; ``evidence`` is the sentence as the passage has it, and
    ``span`` is where. A simple one has no subordinate clause.
    """

    text: str
    evidence: str
    span: Span
    language: Language
    is_simple: bool

    def located(self, answer: str) -> str | None:
        """The answer as the passage writes it; None if the passage does not have it in one piece."""
        if answer in self.evidence:
            return answer
        parts = (re.escape(character) for character in answer if not character.isspace())
        match = re.search(r"\s*".join(parts), self.evidence)
        return match[0] if match else None


def statements(passage: str) -> Iterator[Statement]:
    """The sentences of a passage that can be understood alone, in order."""
    for span in sentences(passage):
        sentence = span.of(passage)
        if len(sentence) > LONGEST_SENTENCE:
            continue
        speech = language(sentence)
        words = wording(speech)
        text = _clean(sentence, speech)
        if "dropped" in words.statement:
            text = words.statement["dropped"].sub("", text)
        if "apposition" in words.statement:
            text = words.statement["apposition"].sub(r"\1 ", text)
        if words.statement["dropped_start"].match(text):
            text = capitalised(words.statement["dropped_start"].sub("", text))
        if _stands_alone(text, words):
            yield Statement(
                text=text,
                evidence=sentence,
                span=span,
                language=speech,
                is_simple=words.statement["subordinate"].search(text) is None,
            )


def _clean(sentence: str, speech: Language) -> str:
    """A sentence without notes, brackets and the number that it has in a list or a law."""
    sentence = _NUMBER.sub("", sentence, count=1) if _NUMBER.match(sentence) else sentence
    text = _SPACES.sub(" ", _BRACKET.sub("", _NOTE.sub("", sentence))).strip()
    return _HAN_SPACE.sub("", text) if speech == "zh" else text


def text_size(text: str, speech: Language) -> int:
    """The length of a text in words, or in characters if it is Chinese."""
    return len(text) if speech == "zh" else len(text.split())


def _stands_alone(text: str, words: Wording) -> bool:
    rules = words.statement
    size = text_size(text, words.language)
    if not rules["shortest"] <= size <= rules["longest"]:
        return False
    if not text.endswith("。" if words.language == "zh" else ".") or text.endswith(".."):
        return False
    if (
        _ABBREVIATED.search(text)
        or _UNBALANCED.search(text)
        or not text[0].isalnum()
        or text[0].islower()
    ):
        return False
    if not has_paired_quotes(text):
        return False
    if rules["not_at_start"].search(text) or rules["not_anywhere"].search(text):
        return False
    return "possessive" not in rules or not rules["possessive"].search(text[:40])


def has_paired_quotes(text: str) -> bool:
    """Whether each quotation mark of a text that opens is closed."""
    pairs = all(text.count(left) == text.count(right) for left, right in _QUOTES)
    return pairs and text.count('"') % 2 == 0


def names_something(text: str, words: Wording) -> bool:
    """Whether a text has a name, so that it does not speak of "the city" that another one names.

    >>> names_something("The city grew in what year?", wording("en"))
    False
    """
    if words.statement["proper"].search(text):
        return True
    tags = words.statement["name_tags"]
    return bool(tags) and any(tag in tags and len(word) > 1 for word, tag in tagged_words(text))


# English word order in questions: the verb before its subject.

_LONGEST_SUBJECT: Final = 9


def inverted(clause: str, verbs: Verbs, letters: Letters) -> str | None:
    """A clause with the verb first, or None if its parts cannot be distinguished.

    >>> from assay.questions.draft.statement import wording
    >>> verbs = wording("en").verbs
    >>> letters = Letters("", wording("en"))
    >>> inverted("The bridge was opened by Queen Anne", verbs, letters)
    'was the bridge opened by Queen Anne'
    >>> inverted("The Owl Society moved to Harlow", verbs, letters)
    'did the Owl Society move to Harlow'
    """
    words = clause.split()
    for place in range(min(len(words), _LONGEST_SUBJECT + 1)):
        verb = _verb(words, place, verbs)
        if verb is None:
            continue
        if place == 0:
            return None
        subject = letters.inside(" ".join(words[:place]))
        if subject is None or verbs.not_in_subject.search(subject):
            return None
        first, then = verb
        rest = [*([then] if then else []), *words[place + 1 :]]
        if _has_second_verb(words[place + 1 :], verbs):
            return None
        return " ".join([first, subject, *rest])
    return None


def verb_place(clause: str, verbs: Verbs) -> int | None:
    """The number of the word that is the verb; None if none is known."""
    words = clause.split()
    places = range(min(len(words), _LONGEST_SUBJECT + 1))
    return next((place for place in places if _verb(words, place, verbs) is not None), None)


def _verb(words: list[str], place: int, verbs: Verbs) -> tuple[str, str] | None:
    """The word that comes first in a question, and the one that takes the place of the verb."""
    word = words[place]
    if word in verbs.auxiliaries:
        return word, ""
    following = words[place + 1] if place + 1 < len(words) else ""
    if word in verbs.perfect:
        if verbs.participle.fullmatch(following):
            return word, ""
        return {"has": "does", "have": "do", "had": "did"}[word], "have"
    if word in verbs.past and place > 0:
        return "did", verbs.past[word]
    return None


def _has_second_verb(words: list[str], verbs: Verbs) -> bool:
    """Whether another verb in the past is joined to the first: "designed and built"."""
    return any(
        word in {"and", "or", "but"}
        and any(after in verbs.past for after in words[at + 1 : at + 3])
        for at, word in enumerate(words)
    )


# English questions: the question word first and then the verb, if the sentence allows it.

_AND: Final = re.compile(r"\band\b")


class _Asked(Struct, frozen=True, kw_only=True):
    """A sentence around the part that is asked for."""

    before: str
    after: str
    ask: str
    is_simple: bool

    @property
    def first(self) -> str:
        """What the question begins with, if the question word comes first."""
        return capitalised(self.ask)


def english_question(
    statement: Statement, rule: QuestionRule, slot: Span, ask: str, letters: Letters, words: Wording
) -> str | None:
    """The question, or None if the sentence cannot be turned into one that is surely right."""
    assert words.verbs is not None
    text = without_end(statement.text)
    lead = words.statement["lead"].match(text, 0, slot.start)
    if lead is not None and rule.form == "what":
        return _after_lead(lead, statement, rule, slot, ask, letters, words)
    asked = _Asked(
        before=text[: slot.start].strip(),
        after=text[slot.end :],
        ask=ask,
        is_simple=statement.is_simple,
    )
    if not asked.before:
        return _of_beginning(asked, rule, letters, words)
    if not statement.is_simple or "," in asked.before:
        return None
    if _belongs_to_participle(asked.before, words.verbs):
        return None
    if rule.form == "when" or rule.is_fronted:
        return _of_time(asked, letters, words.verbs)
    return _of_object(asked, rule, letters, words.verbs)


def _after_lead(
    lead: re.Match[str],
    statement: Statement,
    rule: QuestionRule,
    slot: Span,
    ask: str,
    letters: Letters,
    words: Wording,
) -> str | None:
    """What the sentence begins with stays before the question: "In 1874, how many …"."""
    rest = replace(statement, text=capitalised(statement.text[lead.end() :]))
    moved = Span(start=slot.start - lead.end(), end=slot.end - lead.end())
    question = english_question(rest, rule, moved, ask, letters, words)
    if question is None or not question.startswith(capitalised(ask)):
        return None
    return f"{lead[0]}{question[0].lower()}{question[1:]}"


def _of_beginning(
    asked: _Asked, rule: QuestionRule, letters: Letters, words: Wording
) -> str | None:
    """A question for what the sentence begins with."""
    assert words.verbs is not None
    if rule.form == "what":
        return f"{asked.first}{asked.after}?" if asked.is_simple else None
    order = inverted(_main(asked.after.strip(EDGE), words), words.verbs, letters)
    return None if order is None else f"{asked.first} {order}?"


def _of_time(asked: _Asked, letters: Letters, verbs: Verbs) -> str | None:
    tail = asked.after.partition(",")[0].rstrip()
    order = inverted(asked.before + ("" if _AND.search(tail) else tail), verbs, letters)
    return None if order is None else f"{asked.first} {order}?"


def _of_object(asked: _Asked, rule: QuestionRule, letters: Letters, verbs: Verbs) -> str | None:
    """The question word first, for what is right after the verb."""
    tail = asked.after.partition(",")[0].rstrip()
    order = inverted(f"{asked.before}{tail}", verbs, letters)
    if order is None or not (rule.replaces_answer or _is_object(asked.before, verbs)):
        return None
    return f"{asked.first} {order}?"


def _is_object(before: str, verbs: Verbs) -> bool:
    """Whether a part that follows ``before`` is right after the verb."""
    words = before.split()
    place = verb_place(before, verbs)
    if place is None:
        return False
    if place == len(words) - 1:
        return words[-1] not in verbs.auxiliaries
    return place == len(words) - 2 and verbs.participle.fullmatch(words[-1]) is not None


def _main(clause: str, words: Wording) -> str:
    """A clause without what only adds to it."""
    cut = words.statement["cut"].search(clause)
    if cut is None or words.statement["subordinate"].search(clause[: cut.start()]):
        return clause
    return clause[: cut.start()]


def _belongs_to_participle(before: str, verbs: Verbs) -> bool:
    """Whether a phrase after ``before`` describes a noun: "a market built in 1808"."""
    words = before.split()
    place = verb_place(before, verbs)
    is_participle = verbs.participle.fullmatch(words[-1]) is not None
    return is_participle and place is not None and len(words) - 1 - place not in {0, 1}


# Russian and Chinese questions: the words stay in the order of the sentence.

_SHORT_CLAUSE: Final = 6
_SHORT_QUESTION: Final = 16
"""When something with fewer characters happened could mean too many things."""
_COMMA: Final = "，"


def fronted(
    statement: Statement, slot: Span, verb: str, ask: str, letters: Letters, words: Wording
) -> str | None:
    """A Russian question for a phrase: the question word, the ``verb`` that leads to it, the rest."""
    text = _shortened(statement.text, slot, words)
    if slot.start == 0:
        return f"{capitalised(ask)}{without_end(text[slot.end :])}?"
    rest = letters.inside(without(text, slot))
    if rest is None or "," in text[: slot.start]:
        return None
    if verb and rest.endswith(f" {verb}"):
        return f"{capitalised(ask)} {verb} {rest.removesuffix(verb).rstrip()}?"
    return f"{capitalised(ask)} {_verb_first(rest, words)}?"


def _verb_first(clause: str, words: Wording) -> str:
    """A clause that a verb was left at the end of, because what it leads to is asked: verb first."""
    verb = words.statement["final_verb"].search(clause)
    if verb is None or not verb.start():
        return clause
    return f"{clause[verb.start() :].strip()} {clause[: verb.start()].rstrip()}"


def asked_at_end(
    statement: Statement, slot: Span, ask: str, letters: Letters, words: Wording
) -> str | None:
    """A Russian question for what the sentence ends with, put first together with its noun."""
    clause = letters.inside(without(statement.text, slot))
    if not clause or not statement.is_simple or not words.statement["final_verb"].search(clause):
        return None
    return f"{capitalised(ask)} {_verb_first(clause, words)}?"


def _shortened(text: str, slot: Span, words: Wording) -> str:
    """The sentence up to where it can end, after the part that is asked for."""
    cut = words.statement["cut"].search(text, slot.end)
    if cut is None or len(text[: cut.start()].split()) < words.statement["shortest"] + 2:
        return text
    if not words.statement["verb"].search(text[: cut.start()]):
        return text
    return f"{text[: cut.start()]}."


def in_situ(
    statement: Statement, rule: QuestionRule, slot: Span, ask: str, words: Wording
) -> str | None:
    """A Chinese question: the question word where the answer is; later clauses are left out."""
    text = statement.text
    before, after = text[: slot.start], without_end(text[slot.end :])
    if rule.kind == "date" and words.statement["described"].search(after):
        return None
    own = before.rpartition(_COMMA)[2] + after.partition(_COMMA)[0]
    if (rule.kind == "number" and "、" in own) or before.count("《") > before.count("》"):
        return None
    if rule.kind == "number" and not _is_after_verb(before):
        return None
    if statement.is_simple:
        after = _own_clauses(before, after, rule, words)
    return f"{before}{ask}{after if before else after.lstrip(_COMMA)}？"


def _is_after_verb(before: str) -> bool:
    """Whether a Chinese text ends with a verb, so that an amount can follow: not in verse."""
    tags = [tag[0] for word, tag in tagged_words(before) if word.strip()]
    return bool(tags) and (tags[-1] == "v" or (tags[-1] in "up" and "v" in tags[-2:]))


def _own_clauses(before: str, after: str, rule: QuestionRule, words: Wording) -> str:
    """What follows in a Chinese sentence, up to the end of the clause that the question is about."""
    own = before.rpartition(_COMMA)[2]
    first, *later = after.split(_COMMA)
    if rule.kind == "number" and not own:
        return after
    introduces, leads_on = words.statement["introduces"], words.statement["leads_on"]
    kept = [first]
    is_long = len(own + first) >= _SHORT_CLAUSE
    ends_here = rule.kind == "fact" and not first and bool(own)  # its rule has the verb
    is_whole = (is_long or ends_here) and not introduces.search(own + first)
    for clause in later:
        continues = words.statement["continues"].search(clause)
        if is_whole and not continues and (before or len(_COMMA.join(kept)) >= _SHORT_QUESTION):
            break
        kept.append(clause)
        is_whole = not leads_on.search(clause) and not introduces.search(clause)
    return _COMMA.join(kept)
