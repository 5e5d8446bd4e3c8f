"""Generate a chronicle of any length with questions, which no model can have read before.

Each chapter tells of one year, in which small events happen to the same people at the same
places. Among them are facts that occur only once and contain invented names and numbers that
occur nowhere else. Each fact is the evidence of one question. The same arguments always give the
same chronicle.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from random import Random
from typing import Final

from msgspec import Struct

from assay.jobs.depth.chronicle import en as chronicle_en
from assay.jobs.depth.chronicle import ru as chronicle_ru
from assay.jobs.depth.chronicle import zh as chronicle_zh
from assay.jobs.depth.chronicle.story_words import (
    Category,
    ChronicleLanguage,
    Fact,
    Forms,
    gendered,
)
from assay.jobs.depth.question import NovelQuestion
from assay.jobs.depth.question_row import QuestionType
from assay.text.language import Language
from assay.text.normalise import Span
from assay.text.search_term import stem
from assay.text.tokenizer import load_tokenizer

LANGUAGES: Final[Mapping[Language, ChronicleLanguage]] = {
    "zh": chronicle_zh.LANGUAGE,
    "ru": chronicle_ru.LANGUAGE,
    "en": chronicle_en.LANGUAGE,
}

_FIRST_YEAR: Final = 1001
_PARAGRAPHS: Final = 7
_LETTERS: Final = "abcd"


class Chronicle(Struct, frozen=True, kw_only=True):
    """A text and its questions, whose evidence is in offsets of the text."""

    text: str
    questions: tuple[NovelQuestion, ...]


class _WrittenFact(Struct, frozen=True, kw_only=True):
    """A fact with its answers and its span in the text."""

    fact: Fact
    slots: Forms
    answers: tuple[str, ...]
    span: Span


def chronicle(
    language: Language, *, tokens: int, seed: int = 0, questions: int | None = None
) -> Chronicle:
    """Generate a chronicle with at least ``tokens`` tokens and at most one chapter more.

    Args:
        language: ``zh``, ``ru`` or ``en``.
        tokens: the minimum length in tokens of ``o200k``.
        seed: each number gives a different chronicle.
        questions: the number of facts, which are spread evenly over the text. The default is one
            fact per 1,000 tokens, at least 5 and at most 400. If the facts do not fit, the text
            becomes longer than ``tokens``.
    """
    fact_count = min(400, max(5, tokens // 1000)) if questions is None else questions
    random = Random(f"{language}-{seed}")  # noqa: S311 - a story, no secret
    writer = _Writer(LANGUAGES[language], random)
    counter = load_tokenizer("o200k")
    total = 0
    chapter_tokens = 1200
    while total < tokens or len(writer.facts) < fact_count:
        share = min(1.0, (total + chapter_tokens) / max(tokens, 1))
        chapter = writer.write_chapter(round(share * fact_count) - len(writer.facts))
        chapter_tokens = counter.count(chapter)
        total += chapter_tokens
    return Chronicle(text=writer.text(), questions=tuple(writer.questions(language)))


class _Writer:
    """Writes chapters one after another and records the span of each fact."""

    def __init__(self, language: ChronicleLanguage, random: Random) -> None:
        self._language = language
        self._random = random
        self._templates = [gendered(template) for template in language.filler]
        self._deck: list[tuple[str, str]] = []
        self._names = _invented_names(language.syllables, random)
        self._numbers = _numbers(random)
        self._chapters: list[str] = [language.title + "\n\n"]
        self._size = len(self._chapters[0])
        self.facts: list[_WrittenFact] = []

    def text(self) -> str:
        """The text written so far."""
        return "".join(self._chapters)

    def write_chapter(self, fact_count: int) -> str:
        """Write the next chapter; each kind of fact occurs in it at most once."""
        random, language = self._random, self._language
        number = len(self._chapters)
        place = random.choice(language.places)
        slots = {**place, "year": str(_FIRST_YEAR + number), "number": str(number)}
        facts = random.sample(language.facts, max(0, min(fact_count, len(language.facts))))
        fact_paragraphs = [random.randrange(_PARAGRAPHS) for _ in facts]
        pieces = [language.heading.format(**slots) + "\n\n"]
        offset = self._size + len(pieces[0])
        for paragraph in range(_PARAGRAPHS):
            paragraph_facts = [
                fact
                for fact, fact_paragraph in zip(facts, fact_paragraphs, strict=True)
                if fact_paragraph == paragraph
            ]
            for piece in self._paragraph(slots, paragraph_facts, offset):
                pieces.append(piece)
                offset += len(piece)
        text = "".join(pieces)
        self._chapters.append(text)
        self._size = offset
        return text

    def _paragraph(self, slots: Forms, facts: Sequence[Fact], offset: int) -> Iterator[str]:
        random = self._random
        lines: list[str | Fact] = [self._filler(slots) for _ in range(random.randint(4, 7))]
        for fact in facts:
            lines.insert(random.randint(1, len(lines)), fact)
        for index, line in enumerate(lines):
            sentence = self._write_fact(line, slots, offset) if isinstance(line, Fact) else line
            piece = sentence + (self._language.space if index + 1 < len(lines) else "\n\n")
            offset += len(piece)
            yield piece

    def _filler(self, slots: Forms) -> str:
        random, language = self._random, self._language
        person, other = random.sample(language.people, 2)
        # Templates are dealt like cards: one is used again only after all others have been used.
        if not self._deck:
            self._deck = random.sample(self._templates, len(self._templates))
        template = self._deck.pop()[person.feminine]
        return _with_capital(
            template.format(
                **slots,
                **{f"p{case}": form for case, form in person.forms.items()},
                **{f"q{case}": form for case, form in other.forms.items()},
                **random.choice(language.seasons),
                **random.choice(language.things),
            )
        )

    def _write_fact(self, fact: Fact, slots: Forms, offset: int) -> str:
        source = self._numbers if fact.category == "number" else self._names
        answers = tuple(next(source) for _ in range(3 if fact.category == "names" else 1))
        parts = zip(("first", "second", "third"), answers, strict=False)
        sentence = _with_capital(fact.sentence.format(**slots, answer=answers[0], **dict(parts)))
        span = Span(start=offset, end=offset + len(sentence))
        self.facts.append(_WrittenFact(fact=fact, slots=slots, answers=answers, span=span))
        return sentence

    def questions(self, language: Language) -> Iterator[NovelQuestion]:
        """A question for each fact; facts with one answer are single choice and open in turn."""
        pools: dict[Category, list[str]] = {"name": [], "number": [], "names": []}
        for written in self.facts:
            pools[written.fact.category].extend(written.answers)
        turn = count()
        for number, written in enumerate(self.facts, 1):
            kind: QuestionType = "multiple_choice"
            if written.fact.category != "names":
                kind = "open" if next(turn) % 2 else "single_choice"
            choices, answers = self._choices(written, kind, pools[written.fact.category])
            yield NovelQuestion(
                id=f"{language}-{number:04d}",
                text=written.fact.question.format(**written.slots),
                question_type=kind,
                choices=choices,
                answers=answers,
                evidence=written.span,
                located="span",
            )

    def _choices(
        self, written: _WrittenFact, kind: QuestionType, pool: Sequence[str]
    ) -> tuple[dict[str, str], tuple[str, ...]]:
        """The choices by letter, and the letters of the correct ones.

        Wrong choices are answers of other facts, or new names and numbers if these are too few.
        """
        if kind == "open":
            return {}, written.answers
        random = self._random
        right = list(written.answers)
        if kind == "multiple_choice":
            right = random.sample(right, random.choice((2, 3)))
        wrong = [other for other in pool if other not in written.answers]
        source = self._numbers if written.fact.category == "number" else self._names
        while len(wrong) < 4:
            wrong.append(next(source))
        texts = [*right, *random.sample(wrong, 4 - len(right))]
        random.shuffle(texts)
        choices = dict(zip(_LETTERS, texts, strict=True))
        return choices, tuple(letter for letter, text in choices.items() if text in right)


def _invented_names(syllables: tuple[Sequence[str], ...], random: Random) -> Iterator[str]:
    """Invented names in random order; no two have the same stem."""
    heads, middles, tails = syllables
    numbers = list(range(len(heads) * len(middles) * len(tails)))
    random.shuffle(numbers)
    stems: set[str] = set()
    for number in numbers:
        rest, tail = divmod(number, len(tails))
        head, middle = divmod(rest, len(middles))
        name = heads[head] + middles[middle] + tails[tail]
        if stem(name.lower()) not in stems:
            stems.add(stem(name.lower()))
            yield name


def _numbers(random: Random) -> Iterator[str]:
    """Different numbers of five digits in random order.

    All end in 5 to 9, after which a Russian noun always has the same form.
    """
    numbers = [number for number in range(10_000, 100_000) if number % 10 >= 5]
    random.shuffle(numbers)
    return map(str, numbers)


def _with_capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]
