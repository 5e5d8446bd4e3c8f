"""Names of people and organisations: Russian by a model, Chinese by the segmenter, English by context.

The Russian model is slovnet's, with the weights that lie in the package ``natasha``. That package
itself is not imported: it takes long, and only its files are needed. Nothing is fetched.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from assay.errors import UseError
from assay.redact.finding import Finding
from assay.registry import install_command
from assay.text.character import CYRILLIC, HAN
from assay.text.lexicon import alternatives, entry, word_list

_RUSSIAN_WORD: Final = re.compile(f"[{CYRILLIC}]{{3}}")
_HAN_WORD: Final = re.compile(f"[{HAN}]{{2}}")
_CAPITAL: Final = re.compile(r"[A-Z][a-z]")
_NER: Final = "slovnet_ner_news_v1.tar"
_WORDS: Final = "navec_news_v1_1B_250K_300d_100q.tar"
_KINDS: Final = {"PER": "PERSON", "ORG": "ORGANISATION"}
_LONGEST_PART: Final = 4000
"""Longer texts are given to the Russian model in parts, cut between lines or sentences."""
_CUT: Final = re.compile(r"(?<=[.!?\n])\s+")


def find_names(text: str) -> Iterator[Finding]:
    """Names of people and organisations in a text of three languages.

    Raises:
        UseError: the text is Russian and the model is not installed.

    >>> [(found.kind, found.value) for found in find_names("Signed by Mr. John Harlow for Owl Ltd.")]
    [('PERSON', 'John Harlow'), ('ORGANISATION', 'Owl Ltd')]
    """
    if _CAPITAL.search(text):
        yield from _english_names(text)
    if _HAN_WORD.search(text):
        yield from _chinese_names(text)
    if _RUSSIAN_WORD.search(text):
        yield from _russian_names(text)


def _english_names(text: str) -> Iterator[Finding]:
    for match in _english_person().finditer(text):
        start, end = match.span("titled" if match["titled"] else "named")
        yield Finding(start, end, "PERSON", text[start:end])
    for match in _english_organisation().finditer(text):
        yield Finding(match.start(), match.end(), "ORGANISATION", match[0])


@cache
def _english_person() -> re.Pattern[str]:
    title = alternatives("redact.person_title", "en")
    before = alternatives("redact.before_person", "en")
    no_name = alternatives("redact.no_name", "en")
    word = rf"(?!(?:{no_name})\b)[A-Z](?:[a-z]+(?:['’\-][A-Z]?[a-z]+)?|['’][A-Z][a-z]+)"
    initial = r"[A-Z]\."
    part = rf"(?:{word}|{initial})"
    whole = rf"{part}(?: (?:van |von |de |da |del |der |di )?{part}){{0,3}}"
    of_two = rf"{part}(?: (?:van |von |de |da |del |der |di )?{part}){{1,3}}"
    return re.compile(
        rf"\b(?:(?:{title})\.? (?P<titled>{whole})|(?i:{before}) (?P<named>{of_two}))"
    )


@cache
def _english_organisation() -> re.Pattern[str]:
    form = alternatives("redact.legal_form", "en")
    no_name = alternatives("redact.no_name", "en")
    word = r"[A-Z][A-Za-z&'’\-]*"
    return re.compile(
        rf"\b(?!(?:{no_name})\b){word}(?: (?:(?:of|and|&) )?{word}){{0,4}},? (?:{form})\b"
    )


def _chinese_names(text: str) -> Iterator[Finding]:
    # loads a dictionary of 5 MB, and only Chinese names need it
    import rjieba  # noqa: PLC0415

    tagged: list[tuple[str, str]] = rjieba.tag(text)
    at = 0
    for number, (word, tag) in enumerate(tagged):
        start, at = at, at + len(word)
        if tag == "nt":
            yield Finding(start, at, "ORGANISATION", word)
        if tag in {"nr", "nrfg"} and 2 <= len(word) <= 4 and word.startswith(_surnames()):
            following, following_tag = tagged[number + 1] if number + 1 < len(tagged) else ("", "")
            is_cut = len(word) == 2 and len(following) == 1 and following_tag in {"n", "ng", "nr"}
            end = at + is_cut  # the segmenter cuts off the last character of rare names
            yield Finding(start, end, "PERSON", text[start:end])
    for match in _chinese_person().finditer(text):
        yield Finding(match.start("name"), match.end("name"), "PERSON", match["name"])
    yield from _chinese_organisations(text)


@cache
def _surnames() -> tuple[str, ...]:
    single = str(entry("zh", "name.surnames")).replace("\n", "")
    return (*word_list("name.surnames_of_two", "zh"), *single)


@cache
def _chinese_person() -> re.Pattern[str]:
    """A surname and one or two characters between a word for a person and punctuation."""
    before = alternatives("redact.before_person", "zh")
    surname = f"(?:{'|'.join(_surnames())})"
    return re.compile(rf"(?:{before})[：:]?\s?(?P<name>{surname}[{HAN}]{{1,2}})(?![{HAN}])")


def _chinese_organisations(text: str) -> Iterator[Finding]:
    """What ends in a legal form and begins after punctuation or a word that is no part of a name."""
    start = 0
    for end in (*_chinese_gap().finditer(text), None):
        stop = len(text) if end is None else end.start()
        match = _chinese_organisation().match(text, start, stop)
        if match:
            yield Finding(match.start(), match.end(), "ORGANISATION", match[0])
        start = stop if end is None else end.end()


@cache
def _chinese_gap() -> re.Pattern[str]:
    """What cannot be a part of a name."""
    return re.compile(rf"{alternatives('redact.not_in_name', 'zh')}|[^{HAN}（）()]")


@cache
def _chinese_organisation() -> re.Pattern[str]:
    form = alternatives("redact.legal_form", "zh")
    return re.compile(rf"[{HAN}（）()]{{2,20}}?(?:{form})+")


def _russian_names(text: str) -> Iterator[Finding]:
    model = _russian_model()
    start = 0
    for part in _parts(text):
        for span in model(part).spans:
            kind = _KINDS.get(span.type)
            if kind is not None and span.stop - span.start > 1:
                first, last = start + span.start, start + span.stop
                if "«" in text[first:last] and text[last : last + 1] == "»":
                    last += 1  # the model leaves the end of a quoted name out
                yield Finding(first, last, kind, text[first:last])
        start += len(part)


def _parts(text: str) -> Iterator[str]:
    start = 0
    while len(text) - start > _LONGEST_PART:
        ends = [match.end() for match in _CUT.finditer(text, start, start + _LONGEST_PART)]
        end = ends[-1] if ends else start + _LONGEST_PART
        yield text[start:end]
        start = end
    yield text[start:]


def check_names() -> None:
    """Raise ``UseError`` if the model for Russian names is not installed."""
    if any(find_spec(name) is None for name in ("natasha", "navec", "slovnet")):
        raise UseError(f"names in Russian need a model: {install_command('names')}")


@cache
def _russian_model() -> Any:
    check_names()
    # NumPy and the weights take a second, and only Russian names need them
    from navec import Navec  # noqa: PLC0415
    from slovnet import NER  # noqa: PLC0415

    spec = find_spec("natasha")
    folders = spec.submodule_search_locations if spec is not None else None
    data = Path((folders or [""])[0]) / "data"
    model = NER.load(data / "model" / _NER)
    model.navec(Navec.load(data / "emb" / _WORDS))
    return model
