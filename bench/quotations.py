"""Quotations made by program from real passages: copies to be kept, and alterations to be refused.

    python bench/quotations.py --data FOLDER [--part tuned|untouched] [--failures]

``FOLDER/xquad/xquad.LANG.json`` are passages of XQuAD, which are no part of the project. A copy is a
sentence of a passage in another format: marks, case, spaces, width, line breaks. An alteration has
another name, number or date in one place, or a negation or a limit more or less. Articles with an
even number were looked at while the check was written, the others were not.
"""

import argparse
import json
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import opencc

from assay.checks.invention import inventions
from assay.checks.quotation import verify_quotation
from assay.text.language import simplified

LANGUAGES: Final = ("en", "ru", "zh")
SENTENCE: Final = {
    "en": re.compile(r"(?<=[a-z0-9)][.!?])\s+(?=[A-Z])"),
    "ru": re.compile(r"(?<=[а-я0-9)][.!?])\s+(?=[А-Я])"),
    "zh": re.compile("(?<=[。！？])"),
}
SHORTEST: Final = {"en": 30, "ru": 30, "zh": 12}
NUMBER: Final = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?![\w])", re.ASCII)
MONTHS: Final = {
    "en": "January February March April May June July August September October November December",
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "zh": "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
}
NEGATION: Final = {
    "en": re.compile(r"\b(?:not|never|no|without)\b ?|n't\b"),
    "ru": re.compile(r"\b(?:не|нет|ни|без|никогда)\b ?", re.IGNORECASE),
    "zh": re.compile("没有|并非|[不没未无]"),
}
NEGATED: Final = {
    "en": re.compile(r"\b(?:is|are|was|were|can|could|would|will|has|have|had)\b"),
    "ru": re.compile(r"(?=\b(?:был|была|было|были|является|являются|может|могут|стал|имеет)\b)"),
    "zh": re.compile("(?=[是能可会应][^为])"),
}
NOT: Final = {"en": " not", "ru": "не ", "zh": "不"}
LIMITS: Final = {
    "en": ("at least ", "not more than ", "only "),
    "ru": ("не менее ", "не более ", "только "),
    "zh": ("至少", "不超过", "仅"),
}
NAME_LETTERS: Final = {"en": "[A-Z]", "ru": "[А-Я]", "zh": "[\u4e00-\u9fff]"}


class Quotation(NamedTuple):
    """A quotation, its source, how it was made, and whether it must be accepted."""

    language: str
    part: str
    kind: str
    text: str
    source: str
    valid: bool


class Passage(NamedTuple):
    """A passage, its part of the data and the names in it."""

    part: str
    text: str
    names: tuple[str, ...]


def passages(data: Path, language: str) -> list[Passage]:
    """The passages of one language, each with those answers that are names in English."""
    articles = _articles(data, language)
    paired = zip(_articles(data, "en"), articles, strict=True)
    found = []
    for number, (english, article) in enumerate(paired):
        for original, paragraph in zip(english["paragraphs"], article["paragraphs"], strict=True):
            texts = {
                question["answers"][0]["text"].strip(' .,;:!?()"“”«»《》\n')
                for source, question in zip(original["qas"], paragraph["qas"], strict=True)
                if _is_name(source["answers"][0]["text"])
            }
            names = tuple(sorted(name for name in texts if re.match(NAME_LETTERS[language], name)))
            found.append(
                Passage("untouched" if number % 2 else "tuned", paragraph["context"], names)
            )
    return found


def _articles(data: Path, language: str) -> list[Any]:
    path = data / "xquad" / f"xquad.{language}.json"
    articles: list[Any] = json.loads(path.read_text(encoding="utf-8"))["data"]
    return articles


def _is_name(answer: str) -> bool:
    words = re.findall(r"[A-Za-zÀ-ž'’.-]+", answer)
    main = [word for word in words if len(word) > 3 or word[0].isupper()]
    return 0 < len(words) < 7 and all(word[0].isupper() for word in main) and answer.isascii()


def quotations(data: Path, language: str) -> Iterator[Quotation]:
    """All copies and alterations of the sentences of one language."""
    chance = random.Random(7)
    found = passages(data, language)
    names = sorted({name for passage in found for name in passage.names})
    values = sorted({value for passage in found for value in NUMBER.findall(passage.text)})
    for passage in found:
        for sentence in SENTENCE[language].split(passage.text):
            if len(sentence) < SHORTEST[language]:
                continue
            made = (
                (True, copies(sentence, language, chance)),
                (False, other_names(sentence, passage, names, chance)),
                (False, other_numbers(sentence, values, chance)),
                (False, other_dates(sentence, language, chance)),
                (False, negations(sentence, language, chance)),
                (False, limits(sentence, language, chance)),
            )
            for valid, variants in made:
                for kind, text in variants:
                    yield Quotation(language, passage.part, kind, text, passage.text, valid)


def copies(text: str, language: str, chance: random.Random) -> Iterator[tuple[str, str]]:
    """The sentence itself, and copies that differ only in their format."""
    yield "verbatim", text
    yield "width", "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in text)
    marks = "，；。、：" if language == "zh" else ",;—"
    yield "fragment", max(re.split(f"(?<=[{marks}])(?![0-9])", text), key=len)
    yield "no marks", re.sub(r"(?<!\d)[,;:，；：、。](?!\d)|[.。]$", "", text)
    yield from pieces(text, language, chance)
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
    yield (
        "line breaks",
        "".join(
            word + (chance.choice(("\n", "\u00a0", "  ")) if chance.random() < 0.3 else " ")
            for word in re.split(r"(?<!\d) | (?!\d)", text)
        ),
    )
    yield "quotes", text.translate(str.maketrans("\"'«»", "”’““"))
    yield "capitals", text.upper()
    long = [index for index, word in enumerate(words) if len(word) > 8 and word.isalpha()]
    if long:
        index = chance.choice(long)
        words[index] = f"{words[index][:5]}-\n{words[index][5:]}"
        yield "hyphenation", " ".join(words)
    left_out = NEGATION[language].search(" ".join(words[4:-4]))
    has_number = len(words) > 9 and re.search(r"\d", words[3] + words[4] + words[-5] + words[-4])
    if len(words) > 9 and not has_number and not left_out:
        yield "dots", " ".join((*words[:4], "[…]", *words[-4:]))


def pieces(text: str, language: str, chance: random.Random) -> Iterator[tuple[str, str]]:
    """A part of the sentence that begins and ends anywhere, but not after a negation or at a number."""
    space = "" if language == "zh" else " "
    words = list(text) if language == "zh" else text.split()
    if len(words) > 12:
        first = chance.randrange(1, len(words) - 9)
        last = chance.randrange(first + 8, len(words))
        around = space.join(words[max(0, first - 4) : first] + words[last - 1 : last + 1])
        inside = space.join(words[first:last])
        is_cut = re.search(r"[\dA-Za-z-]" if language == "zh" else r"\d", around + inside[:3])
        if not is_cut and not NEGATION[language].search(around):
            yield "stretch", inside


def other_names(
    text: str, passage: Passage, names: Sequence[str], chance: random.Random
) -> Iterator[tuple[str, str]]:
    """The sentence with another name of the passage, and with one that the passage does not have."""
    for name in passage.names:
        if name not in text:
            continue
        inside = [other for other in passage.names if other not in text and name not in other]
        outside = [other for other in names if other not in passage.text]
        for kind, choices in (("name of the passage", inside), ("another name", outside)):
            if choices:
                yield kind, text.replace(name, chance.choice(choices), 1)


def other_numbers(
    text: str, values: Sequence[str], chance: random.Random
) -> Iterator[tuple[str, str]]:
    """The sentence with another number, with a part of its number, and with a digit more."""
    for match in NUMBER.finditer(text):
        digits = match.group()
        for kind, other in (
            ("another number", chance.choice([value for value in values if value != digits])),
            ("part of a number", digits[1:].lstrip(".,")),
            ("longer number", f"{digits}{chance.randrange(10)}"),
        ):
            if other and other.strip("0,.") != digits.strip("0,."):
                yield kind, text[: match.start()] + other + text[match.end() :]


def other_dates(text: str, language: str, chance: random.Random) -> Iterator[tuple[str, str]]:
    """The sentence with another year, and with another month."""
    year = re.search(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)", text)
    if year is not None:
        other = str(int(year.group()) + chance.choice((-10, -1, 1, 10)))
        yield "year", text[: year.start()] + other + text[year.end() :]
    months = MONTHS[language].split()
    month = re.search(rf"(?<!\d)(?:{'|'.join(reversed(months))})(?!\w)|(?<!\d)\d+月", text)
    if month is not None:
        other = chance.choice([name for name in months if name != month.group()])
        yield "month", text[: month.start()] + other + text[month.end() :]


def negations(text: str, language: str, chance: random.Random) -> Iterator[tuple[str, str]]:
    """The sentence with a negation less, and with one more."""
    found = list(NEGATION[language].finditer(text))
    if found:
        dropped = chance.choice(found)
        yield "negation dropped", text[: dropped.start()] + text[dropped.end() :]
        rest = text[dropped.end() :].strip()
        if len(rest) >= SHORTEST[language]:
            yield "negation cut off", rest
    words = text.split(" ")
    if len(words) > 11 and NEGATION[language].search(" ".join(words[5:-5])):
        yield "negation left out", " ".join((*words[:4], "[…]", *words[-4:]))
    places = list(NEGATED[language].finditer(text))
    if places:
        place = chance.choice(places).end()
        yield "negation added", text[:place] + NOT[language] + text[place:]


def limits(text: str, language: str, chance: random.Random) -> Iterator[tuple[str, str]]:
    """The sentence with a limit before a number."""
    match = NUMBER.search(text)
    if match is not None:
        limit = chance.choice(LIMITS[language])
        yield "limit added", text[: match.start()] + limit + text[match.start() :]


def contains(quotation: str, source: str) -> bool:
    """The baseline: containment after normalising, in fifteen lines."""
    quoted, text = (_letters(each) for each in (quotation, source))
    return bool(quoted) and quoted in text


def _letters(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold().replace("ё", "е")
    folded = simplified(folded)
    folded = re.sub(r"(?<=\w)-\n(?=\w)", "", folded)
    return (
        "\n"
        + "\n".join(re.findall(r"\d+(?:[.,]\d+)*|[\u4e00-\u9fff]|[^\W\d\u4e00-\u9fff]+", folded))
        + "\n"
    )


def accepted(quotation: str, source: str) -> bool:
    """The check of the package."""
    return verify_quotation(quotation, source).valid


def is_elsewhere(item: Quotation) -> bool:
    """Whether an alteration only has words and numbers that its source has, too."""
    added = set(re.findall(r"\w+", item.text)) - set(re.findall(r"\w+", item.source))
    return not item.valid and (item.kind not in INVENTIONS or not added)


def adds_nothing(answer: str, source: str) -> bool:
    """Whether the check of inventions finds no detail that the source does not have."""
    return not inventions(answer, [source])


CHECKS: Final[dict[str, Callable[[str, str], bool]]] = {
    "assay": accepted,
    "containment": contains,
    "inventions": adds_nothing,
}
INVENTIONS: Final = ("another name", "another number", "longer number", "year", "month")
"""What is no invention: a copy, and a detail that the passage has elsewhere."""


def table(data: Path, part: str, check: Callable[[str, str], bool], *, failures: bool) -> str:
    """Kept copies and refused alterations by kind and language, as Markdown."""
    right: Counter[tuple[bool, str, str]] = Counter()
    count: Counter[tuple[bool, str, str]] = Counter()
    for language in LANGUAGES:
        for item in quotations(data, language):
            if item.part != part or (check is adds_nothing and is_elsewhere(item)):
                continue
            is_right = check(item.text, item.source) == item.valid
            for kind in ("all", item.kind):
                count[item.valid, kind, language] += 1
                right[item.valid, kind, language] += is_right
            if failures and not is_right:
                print(language, item.kind, item.text, sep=" | ")
    lines = [f"| {part} | {' | '.join(LANGUAGES)} | |", "|---|---|---|---|---|"]
    for valid, kind in sorted({key[:2] for key in count}, reverse=True):
        pairs = [(right[valid, kind, name], count[valid, kind, name]) for name in LANGUAGES]
        cells = " | ".join(f"{good} of {total}" for good, total in pairs)
        good, total = map(sum, zip(*pairs, strict=True))
        word = "kept" if valid else "refused"
        lines.append(f"| {word}: {kind} | {cells} | {good / total:.4f} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Measure the check of quotations.")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--part", choices=("tuned", "untouched"), default="untouched")
    parser.add_argument("--check", choices=CHECKS, default="assay")
    parser.add_argument("--failures", action="store_true", help="print what is judged wrongly")
    options = parser.parse_args()
    check = CHECKS[options.check]
    print(table(options.data, options.part, check, failures=options.failures))


if __name__ == "__main__":
    main()
