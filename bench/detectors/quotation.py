"""Quotations for the check of names: swapped names that must be caught, and copies to be kept.

The texts are not part of the project. The data folder has ``xquad/xquad.LANG.json``,
``novels/idiot.ru.txt`` and ``novels/journey_to_the_west.zh.txt``; what is missing is left out. A name is an answer of XQuAD whose English counterpart is written with capitals, or the
name of a character of a novel. Articles of XQuAD with an even number were looked at while the
check was written; the others and the novels were not: only their totals were.
"""

import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import opencc

from assay.text import sentences

INVENTED = {
    "en": "Marcus Feldon|Harriet Quill|Osterville|Lake Carrow|Northgate University|Brandt|Ilse Varga",
    "ru": "Орлов|Гаврилов|Павел Сергеев|Верхнеозёрск|Каменск|Нина Зотова|Северобанк|Ласточкин",
    "zh": "陈明飞|李建国|王思远|赵雅琴|欧阳志远|马尔科·费尔顿|海伦·奎尔|临沧海市|东林大学|青石银行",
}
"""Names that no source has, separated by bars."""
SMALL = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "and",
        "in",
        "on",
        "at",
        "for",
        "to",
        "by",
        "with",
        "from",
        "de",
        "la",
        "le",
        "von",
        "van",
        "al",
        "ibn",
        "der",
        "du",
    ]
)
MONTHS_AND_DAYS = re.compile(
    r"(?i)\b(?:january|february|march|april|may|june|july|august|september|october|november"
    r"|december|\w+day)\b"
)
RU_CHARACTERS = {
    "Мышкин": "Калинин", "Рогожин": "Шубин", "Иволгин": "Вершинин", "Епанчин": "Калугин",
    "Лебедев": "Соловьев", "Птицын": "Куницын", "Ипполит": "Леонид", "Келлер": "Вернер",
}  # fmt: skip
"""Stems of characters, and other names with the same endings."""
RU_FORMS = {"Агла": "Софь", "Ган": "Фед"}
ZH_CHARACTERS = "行者|八戒|三藏|沙僧|悟空|唐僧|哪吒|观音|如来|太宗|龙王|玉帝"
OTHER_PEOPLE = "陈明飞|李建国|王思远|赵雅琴|欧阳志远|刘德海|周文斌|孙丽华"


class Quotation(NamedTuple):
    """A quotation, the text it is from, and where it belongs in the table.

    ``kind`` is how it was made; ``valid`` says whether it must be accepted.
    """

    language: str
    source: str
    part: str
    kind: str
    text: str
    quotation: str
    valid: bool


class _Name(NamedTuple):
    article: int
    passage: str
    start: int
    name: str


def swapped(data: Path, language: str) -> Iterator[Quotation]:
    """Sentences of real passages with another name in place of one of theirs."""
    names = list(_xquad_names(data, language))
    chance = random.Random(7)
    pool = [name.name for name in names]
    for name in names:
        sentence = _sentence_of(name)
        if sentence is None:
            continue
        begin, text = sentence
        offset = name.start - begin
        inside = [
            other.name
            for other in names
            if other.passage == name.passage and other.name not in text and text not in other.name
        ]
        for kind, choices in (
            ("another name", pool),
            ("invented name", INVENTED[language].split("|")),
            ("name of the passage", inside),
        ):
            other = _other_name(name, choices, chance, inside=kind == "name of the passage")
            if other is not None:
                changed = text[:offset] + other + text[offset + len(name.name) :]
                part = "tuned" if name.article % 2 == 0 else "untouched"
                yield Quotation(language, "XQuAD", part, kind, name.passage, changed, False)
    yield from _swapped_characters(data, language)


def kept(data: Path, language: str) -> Iterator[Quotation]:
    """Sentences of real passages, verbatim and with another format."""
    chance = random.Random(3)
    for article, passage in _xquad_passages(data, language):
        part = "tuned" if article % 2 == 0 else "untouched"
        texts = [span.of(passage) for span in sentences(passage)]
        long = [text for text in texts if len(text) > (12 if language == "zh" else 30)]
        for text in chance.sample(long, min(2, len(long))):
            for kind, changed in _formats(text, language, chance):
                yield Quotation(language, "XQuAD", part, kind, passage, changed, True)
    for passage, text in _novel_sentences(data, language):
        yield Quotation(language, "novel", "untouched", "verbatim", passage, text, True)


def _xquad(data: Path, language: str) -> list[dict[str, Any]]:
    path = data / "xquad" / f"xquad.{language}.json"
    if not path.is_file():
        return []
    articles: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["data"]
    return articles


def _xquad_passages(data: Path, language: str) -> Iterator[tuple[int, str]]:
    for number, article in enumerate(_xquad(data, language)):
        for paragraph in article["paragraphs"]:
            yield number, paragraph["context"]


def _xquad_names(data: Path, language: str) -> Iterator[_Name]:
    ids = {
        question["id"]
        for article in _xquad(data, "en")
        for paragraph in article["paragraphs"]
        for question in paragraph["qas"]
        if _is_name(question["answers"][0], paragraph["context"])
    }
    letters = {"en": "[A-Z]", "ru": "[А-Я]", "zh": "[\u4e00-\u9fff]"}[language]
    seen = set()
    for number, article in enumerate(_xquad(data, language)):
        for paragraph in article["paragraphs"]:
            for question in paragraph["qas"]:
                answer = question["answers"][0]
                name = answer["text"].strip(' .,;:!?()"“”«»《》\n')
                start = paragraph["context"].find(name, answer["answer_start"])
                if question["id"] in ids and name and (paragraph["context"], start) not in seen:
                    seen.add((paragraph["context"], start))
                    if re.search(letters, name):
                        yield _Name(number, paragraph["context"], start, name)


def _is_name(answer: dict[str, Any], context: str) -> bool:
    """Whether an English answer is a name: all its words have capitals, also within a sentence."""
    text, start = answer["text"], answer["answer_start"]
    words = re.findall(r"[A-Za-zÀ-ž'’.-]+", text)
    main = [word for word in words if word.lower() not in SMALL]
    if not main or len(words) > 6 or re.search(r"\d", text) or MONTHS_AND_DAYS.search(text):
        return False
    if len(main) == 1 and context[:start].rstrip()[-1:] in {"", ".", "!", "?"}:
        return False
    return all(word[0].isupper() for word in main)


def _sentence_of(name: _Name) -> tuple[int, str] | None:
    end = name.start + len(name.name)
    for span in sentences(name.passage):
        if span.start <= name.start and end <= span.end and span.end - span.start >= 12:
            return span.start, span.of(name.passage)
    return None


def _other_name(
    name: _Name, choices: Sequence[str], chance: random.Random, *, inside: bool
) -> str | None:
    """A name that shares neither its beginning with ``name`` nor a place with it."""
    fitting = [
        other
        for other in choices
        if other[:4].lower() != name.name[:4].lower()
        and name.name not in other
        and other not in name.name
        and (inside or other not in name.passage)
    ]
    return chance.choice(fitting) if fitting else None


def _formats(text: str, language: str, chance: random.Random) -> Iterator[tuple[str, str]]:
    """The text itself, and copies that differ only in their format."""
    yield "verbatim", text
    wide = "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in text)
    yield "width", wide
    marks = "，；。、：" if language == "zh" else ",;—"
    pieces = re.split(f"(?<=[{marks}])(?![0-9])", text)
    longest = max(pieces, key=len)
    yield "fragment", longest
    if language == "zh":
        yield "traditional", opencc.OpenCC("s2t").convert(text)
        yield (
            "line breaks",
            re.sub(
                "(?<=[\u4e00-\u9fff])(?=[\u4e00-\u9fff])",
                lambda _: "\n" if chance.random() < 0.08 else "",
                text,
            ),
        )
        yield "quotes", text.translate(str.maketrans("“”《》", "「」〈〉"))
        yield "punctuation", text.translate(str.maketrans("，。；：（）", ",.;:()"))
        return
    words = text.split(" ")
    spaces = "\n", "\u00a0", "  "
    yield (
        "line breaks",
        "".join(word + (chance.choice(spaces) if chance.random() < 0.3 else " ") for word in words),
    )
    yield "quotes", text.translate(str.maketrans("\"'«»", "”’““"))
    yield "capitals", text.upper()
    long = [index for index, word in enumerate(words) if len(word) > 8 and word.isalpha()]
    if long:
        index = chance.choice(long)
        words[index] = f"{words[index][:5]}-\n{words[index][5:]}"
        yield "hyphenation", " ".join(words)


def _novel_sentences(data: Path, language: str, count: int = 240) -> Iterator[tuple[str, str]]:
    """Sentences of a novel, each with the text around it."""
    name = {"ru": "idiot.ru", "zh": "journey_to_the_west.zh"}.get(language)
    path = data / "novels" / f"{name}.txt"
    if not path.is_file():
        return
    chance = random.Random(11)
    paragraphs = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    long = [text for text in paragraphs if 150 < len(text) < 900]
    for passage in chance.sample(long, min(count, len(long))):
        texts = [span.of(passage) for span in sentences(passage)]
        fitting = [text for text in texts if 20 < len(text) < 300]
        if fitting:
            yield passage, chance.choice(fitting)


def _swapped_characters(data: Path, language: str) -> Iterator[Quotation]:
    """Sentences of a novel with another person in place of a character, in the same case."""
    chance = random.Random(13)
    stems = "|".join(RU_CHARACTERS)
    forms = "|".join(RU_FORMS)
    pattern = {
        "ru": rf"\b(?:(?P<stem>{stems})(?=[а-я]{{0,3}}\b)|(?P<form>{forms})(?=[яиюе]й?\b))",
        "zh": f"(?P<stem>{ZH_CHARACTERS})",
    }.get(language)
    if pattern is None:
        return
    for passage, text in _novel_sentences(data, language, 4000):
        match = re.search(pattern, text)
        if match is None:
            continue
        if language == "zh":
            other = chance.choice(OTHER_PEOPLE.split("|"))
        else:
            other = RU_CHARACTERS.get(match.group()) or RU_FORMS[match.group()]
        changed = text[: match.start()] + other + text[match.end() :]
        yield Quotation(language, "novel", "untouched", "character", passage, changed, False)
