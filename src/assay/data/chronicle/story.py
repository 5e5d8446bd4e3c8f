"""A made-up chronicle of any length with questions, so that no model can have read it.

Year by year, a chapter each, small things happen to the same people at the same places.
Scattered among them are facts that are told once and rest on invented names and numbers that
stand nowhere else; each fact is the evidence of one question. The same arguments always give
the same chronicle.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from random import Random
from typing import Final

from msgspec import Struct

from assay.data.chronicle import en as chronicle_en
from assay.data.chronicle import ru as chronicle_ru
from assay.data.chronicle import zh as chronicle_zh
from assay.data.chronicle.language import Category, ChronicleLanguage, Fact, Forms, gendered
from assay.data.novel import NovelQuestion, QuestionType
from assay.text import Language, Span, stem
from assay.text.tokenizer import load_tokenizer

TONGUES: Final[Mapping[Language, ChronicleLanguage]] = {
    "zh": chronicle_zh.TONGUE,
    "ru": chronicle_ru.TONGUE,
    "en": chronicle_en.TONGUE,
}

_FIRST_YEAR: Final = 1001
_PARAGRAPHS: Final = 7
_LETTERS: Final = "abcd"


class Chronicle(Struct, frozen=True, kw_only=True):
    """The text and its questions, whose evidence is in offsets of the text."""

    text: str
    questions: tuple[NovelQuestion, ...]


class _Told(Struct, frozen=True, kw_only=True):
    """A fact as it stands in the text."""

    fact: Fact
    slots: Forms
    answers: tuple[str, ...]
    span: Span


def chronicle(
    language: Language, *, tokens: int, seed: int = 0, questions: int | None = None
) -> Chronicle:
    """A chronicle of at least ``tokens`` tokens (of ``o200k``), one chapter over at most.

    Args:
        language: ``zh``, ``ru`` or ``en``.
        tokens: its length.
        seed: another number gives another chronicle.
        questions: how many facts are told, spread evenly; by default one in 1,000 tokens, at
            least 5 and at most 400. Where they are many, the text grows until all are told.
    """
    wanted = min(400, max(5, tokens // 1000)) if questions is None else questions
    random = Random(f"{language}-{seed}")  # noqa: S311 - a story, no secret
    writer = _Writer(TONGUES[language], random)
    counter = load_tokenizer("o200k")
    done = 0
    last = 1200
    while done < tokens or len(writer.told) < wanted:
        share = min(1.0, (done + last) / max(tokens, 1))
        last = counter.count(writer.chapter(round(share * wanted) - len(writer.told)))
        done += last
    return Chronicle(text=writer.text(), questions=tuple(writer.questions(language)))


class _Writer:
    """Writes chapters one after the other, keeping count of where the facts stand."""

    def __init__(self, tongue: ChronicleLanguage, random: Random) -> None:
        self._tongue = tongue
        self._random = random
        self._templates = [gendered(template) for template in tongue.filler]
        self._deck: list[tuple[str, str]] = []
        self._names = _coined(tongue.syllables, random)
        self._numbers = _numbers(random)
        self._chapters: list[str] = [tongue.title + "\n\n"]
        self._size = len(self._chapters[0])
        self.told: list[_Told] = []

    def text(self) -> str:
        """Everything written so far."""
        return "".join(self._chapters)

    def chapter(self, facts: int) -> str:
        """Write the next chapter with so many facts (no more than there are kinds)."""
        random, tongue = self._random, self._tongue
        number = len(self._chapters)
        place = random.choice(tongue.places)
        slots = {**place, "year": str(_FIRST_YEAR + number), "number": str(number)}
        kinds = random.sample(tongue.facts, max(0, min(facts, len(tongue.facts))))
        homes = [random.randrange(_PARAGRAPHS) for _ in kinds]
        pieces = [tongue.heading.format(**slots) + "\n\n"]
        at = self._size + len(pieces[0])
        for paragraph in range(_PARAGRAPHS):
            here = [kind for kind, home in zip(kinds, homes, strict=True) if home == paragraph]
            for piece in self._paragraph(slots, here, at):
                pieces.append(piece)
                at += len(piece)
        text = "".join(pieces)
        self._chapters.append(text)
        self._size = at
        return text

    def _paragraph(self, slots: Forms, kinds: Sequence[Fact], at: int) -> Iterator[str]:
        random = self._random
        lines: list[str | Fact] = [self._filler(slots) for _ in range(random.randint(4, 7))]
        for kind in kinds:
            lines.insert(random.randint(1, len(lines)), kind)
        for place, line in enumerate(lines):
            sentence = self._tell(line, slots, at) if isinstance(line, Fact) else line
            piece = sentence + (self._tongue.space if place + 1 < len(lines) else "\n\n")
            at += len(piece)
            yield piece

    def _filler(self, slots: Forms) -> str:
        random, tongue = self._random, self._tongue
        one, other = random.sample(tongue.people, 2)
        # Dealt like cards, so that a kind of sentence comes back only when all have been.
        if not self._deck:
            self._deck = random.sample(self._templates, len(self._templates))
        template = self._deck.pop()[one.feminine]
        return _capitalised(
            template.format(
                **slots,
                **{f"p{case}": form for case, form in one.forms.items()},
                **{f"q{case}": form for case, form in other.forms.items()},
                **random.choice(tongue.seasons),
                **random.choice(tongue.things),
            )
        )

    def _tell(self, fact: Fact, slots: Forms, at: int) -> str:
        source = self._numbers if fact.category == "number" else self._names
        answers = tuple(next(source) for _ in range(3 if fact.category == "names" else 1))
        parts = zip(("first", "second", "third"), answers, strict=False)
        sentence = _capitalised(fact.sentence.format(**slots, answer=answers[0], **dict(parts)))
        span = Span(start=at, end=at + len(sentence))
        self.told.append(_Told(fact=fact, slots=slots, answers=answers, span=span))
        return sentence

    def questions(self, language: Language) -> Iterator[NovelQuestion]:
        """A question for each fact told, single choices and open ones in turns."""
        pools: dict[Category, list[str]] = {"name": [], "number": [], "names": []}
        for told in self.told:
            pools[told.fact.category].extend(told.answers)
        turn = count()
        for number, told in enumerate(self.told, 1):
            kind: QuestionType = "multiple_choice"
            if told.fact.category != "names":
                kind = "open" if next(turn) % 2 else "single_choice"
            choices, answers = self._choices(told, kind, pools[told.fact.category])
            yield NovelQuestion(
                id=f"{language}-{number:04d}",
                text=told.fact.question.format(**told.slots),
                question_type=kind,
                choices=choices,
                answers=answers,
                evidence=told.span,
                located="span",
            )

    def _choices(
        self, told: _Told, kind: QuestionType, pool: Sequence[str]
    ) -> tuple[dict[str, str], tuple[str, ...]]:
        """Lettered choices, the wrong ones true of other facts where there are enough."""
        if kind == "open":
            return {}, told.answers
        random = self._random
        right = list(told.answers)
        if kind == "multiple_choice":
            right = random.sample(right, random.choice((2, 3)))
        wrong = [other for other in pool if other not in told.answers]
        source = self._numbers if told.fact.category == "number" else self._names
        while len(wrong) < 4:
            wrong.append(next(source))
        texts = [*right, *random.sample(wrong, 4 - len(right))]
        random.shuffle(texts)
        choices = dict(zip(_LETTERS, texts, strict=True))
        return choices, tuple(letter for letter, text in choices.items() if text in right)


def _coined(syllables: tuple[Sequence[str], ...], random: Random) -> Iterator[str]:
    """Invented names, each once, in an order of chance; no two have the same stem."""
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
    """Numbers of five digits, each once; all end in 5 to 9, which asks for one form in Russian."""
    numbers = [number for number in range(10_000, 100_000) if number % 10 >= 5]
    random.shuffle(numbers)
    return map(str, numbers)


def _capitalised(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]
