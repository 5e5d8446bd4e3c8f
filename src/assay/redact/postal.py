"""Postal addresses by the words that their parts have in each language."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from assay.redact.finding import Finding
from assay.redact.stem import matches_near
from assay.text.character import HAN
from assay.text.lexicon import alternatives

_CHINESE_HOUSE: Final = re.compile(r"[号號室栋幢房组层](?<=[0-9０-９一二三四五六七八九十百].)")
_CHINESE_REACH: Final = 56
"""How many characters before the number of a house its address may begin."""


def find_postal_addresses(text: str) -> Iterator[Finding]:
    """Postal addresses: Russian, with the house first as in English, or last."""
    for match in matches_near(_russian_address(), text, "street", 140, 140):
        yield _finding(text, *match.span())
    yield from _find_english(text)
    for match in matches_near(_european_address(), text, "european", 60, 90):
        yield _finding(text, *match.span())


def _finding(text: str, start: int, end: int) -> Finding:
    return Finding(start, end, "ADDRESS", text[start:end])


def find_chinese_addresses(text: str) -> Iterator[Finding]:
    """Postal addresses of China; their numbers may be written in characters."""
    end = 0
    for house in _CHINESE_HOUSE.finditer(text):
        if house.start() < end:
            continue
        begin = max(end, house.start() - _CHINESE_REACH)
        match = _chinese_address().search(text, begin, house.end() + 60)
        if match and match.start() < house.start() < match.end():
            end = match.end()
            lead = _chinese_lead().match(text, match.start(), match.end())
            yield _finding(text, lead.end() if lead else match.start(), end)


@cache
def _chinese_address() -> re.Pattern[str]:
    number = r"[甲乙丙丁]?[0-9一二三四五六七八九十百]{1,6}(?:[\-－][0-9]{1,4})?"
    letter = r"(?:[0-9A-Za-z一二三四五六七八九十百甲乙丙丁东南西北\-]{1,8})"
    province, district, street, house, flat, building = (
        alternatives(f"redact.{name}", "zh")
        for name in ("province", "district", "street", "house", "flat", "building")
    )
    block = alternatives("redact.block", "zh")
    part = rf"[{HAN}]{{1,8}}?"
    road = rf"(?:{part}(?:[0-9]{{1,4}})?(?:{street}))"
    special = alternatives("redact.special_region", "zh")
    place = rf"(?:(?:[{HAN}]{{2,9}}?(?:{province}))?(?:{part}(?:{district})){{1,3}}|(?:{special}))"
    labels = alternatives("redact.address_label", "zh").replace("|", ")|(?<=")
    label = rf"(?:(?<={labels}))[:：为是在]{{0,2}}"
    name = rf"(?:(?![的与和及或])[{HAN}A-Za-z]){{1,12}}(?:{building})"
    name = rf"(?:{name}|(?:(?![的与和及或在内有共为是])[{HAN}]){{2,10}}(?={letter}(?:{flat})))"
    inside = rf"(?:{letter}(?:{flat}))"
    return re.compile(
        rf"(?:{place}|{label}){road}{{1,4}}"
        rf"(?:{number}(?:{house})(?![楼院线令文航机口台])(?:之[0-9一二三四五六七八九十]{{1,3}})?"
        rf"|{number}[组队社]|(?:{name})?{letter}(?:{block}))"
        rf"(?:{name})?{inside}{{0,5}}(?:{name}{inside}{{1,4}})?(?:[0-9][0-9A-Za-z\-]{{1,5}}(?![0-9年月日元]))?"
    )


@cache
def _chinese_lead() -> re.Pattern[str]:
    """Words before an address that are not part of its first name."""
    words, city, end = (
        alternatives(f"redact.{name}", "zh") for name in ("address_lead", "district", "place_end")
    )
    return re.compile(
        rf"(?:[{HAN}]{{0,8}}?(?:{words})+[:：]?|[:：])(?=[{HAN}]{{2,9}}?(?:{end}|{city}))"
    )


@cache
def _russian_address() -> re.Pattern[str]:
    region, city, street, house, flat, of = (
        alternatives(f"redact.{name}", "ru")
        for name in ("region", "city", "street", "house", "flat", "street_of")
    )
    word = r"[А-Яа-яЁё0-9.\-]{1,30}"
    name = (
        rf"(?:[«\"]?(?:(?:{of}) ){{0,2}}(?:\d{{1,4}}(?:-?[а-я]{{1,5}})? )?(?:(?:{of}) ){{0,2}}[А-ЯЁ]{word}(?: [А-ЯЁа-яё0-9]{word}){{0,2}}[»\"]?"
        rf"|\d{{1,4}} (?:лет|года) ?[А-ЯЁ]?[а-яё]{{0,20}})"
    )
    place = rf"(?:(?:{region}) )?[А-ЯЁ][А-Яа-яЁё\-]{{2,30}}(?: [А-ЯЁ][а-яё\-]{{2,30}})?(?: (?:{region}))?, "
    number = r"\d{1,4}(?:[/\-]\d{1,4})? ?[А-Яа-я]?(?!\w)(?:[кс]\d{1,2}(?!\w))?"
    inside = r"(?:\d{1,5}(?:[/\-]\d{1,4})?-?[А-Яа-я]?|[А-ЯA-Z]{1,4}|[IVX]{1,5})(?!\w)"
    return re.compile(
        rf"(?:\b\d{{6}},? )?(?:(?<!\w){place}){{0,3}}(?:(?<!\w)(?:{city}) ?{name},? ){{0,2}}"
        rf"(?:(?<!\w)(?:{street}) ?{name}|{name} (?:{street})(?!\w)),? ?"
        rf"(?:(?:{house}) ?№? ?)?{number}"
        rf"(?:,? ?(?:{flat}) ?№? ?{inside}){{0,5}}"
    )


_CODE: Final = (
    r"(?:\d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z0-9]? ?\d[A-Z]{2}|[A-Z]{1,2}-\d{3,5}|[A-Z]\d[A-Z] ?\d[A-Z]\d"
    r"|\d{3}[ \-]\d{2}|\d{2}-\d{3}|\d{4}(?: [A-Z]{2})?|\d{6})\b"
)
"""Post codes of several countries."""
_NAME: Final = r"[A-ZÀ-ÖØ-ÞĀ-Ž][A-Za-zÀ-ÖØ-öø-ÿĀ-ž'’.\-]{1,24}"


def _find_english(text: str) -> Iterator[Finding]:
    for match in matches_near(_post_box(), text, "box", 6, 80):
        yield _finding(text, *match.span())
    for match in matches_near(_english_address(), text, "english", 90, 120):
        before = max(0, match.start() - 20)
        flat = _english_flat().search(text, before, match.start())
        start = flat.start() if flat else match.start()
        yield _finding(text, start, match.end())


@cache
def _english_address() -> re.Pattern[str]:
    street, place, flat, country = (
        alternatives(f"redact.{name}", "en")
        for name in ("street", "street_with_town", "flat", "country")
    )
    divider = r"(?:, ?\n?|\n)"
    end = rf"(?:,? ?\n?(?:{country})\b)?"
    inside = rf"(?:,? (?i:{flat}) ?[0-9A-Za-z\-]{{1,6}}){{0,2}}"
    town = r"[A-Z][A-Za-z.'\-]{1,20}(?: [A-Za-z][A-Za-z.'\-]{1,20}){0,2}"
    coded = rf"{divider}{town}(?:(?:, [A-Z]{{2}}|, [A-Z][a-z]+(?: [A-Z][a-z]+)?)?,? {_CODE}|, [A-Z]{{2}}\b)"
    house = r"[0-9](?<![\w.].)[0-9]{0,4}(?:[\-–/][0-9]{1,4})?[A-Za-z]?(?:(?<![0-9]{4}),)? "
    name = rf"(?:[NSEW]{{1,2}}\.? )?(?:(?:{_NAME}|[0-9]{{1,3}}(?:st|nd|rd|th)) ){{1,3}}"
    return re.compile(
        rf"{house}{name}(?:(?i:{street})\b\.?(?: [NSEW]{{1,2}}\b\.?)?{inside}(?:(?:{divider}{town})?{coded}{end}|, [A-Z][A-Za-z.\- ]{{1,30}}?\b)?"
        rf"|(?:{place})\b{inside}(?:{divider}{town})?{coded}{end})"
    )


@cache
def _post_box() -> re.Pattern[str]:
    town = r"[A-Z][A-Za-z.'\-]{1,20}(?: [A-Z][A-Za-z.'\-]{1,20}){0,2}"
    return re.compile(
        rf"\bP\.? ?O\.? ?Box \d{{1,6}}\b(?:, ?\n?{town}(?:, [A-Z]{{2}})?(?:,? {_CODE})?)?",
        re.IGNORECASE,
    )


@cache
def _english_flat() -> re.Pattern[str]:
    """A flat that is before the house."""
    flat = alternatives("redact.flat", "en")
    return re.compile(rf"\b(?i:{flat}) ?[0-9A-Za-z]{{1,5}},? \Z")


@cache
def _european_address() -> re.Pattern[str]:
    """Streets of Germany, France, Italy, Spain, the Netherlands, Poland and the Baltic states."""
    joined, after, before, country = (
        alternatives(f"redact.{name}", "en")
        for name in ("street_joined", "street_after", "street_before", "country")
    )
    number = r"\d{1,4}(?: ?[a-zA-Z])?(?:[\-–/]\d{1,4}[a-z]?)?\b"
    small = r"(?:(?:de|du|des|la|le|les|del|della|di|da|van|von|der|den|d['’]) ?){0,3}"
    street = (
        rf"(?<!\w)(?:{_NAME}[ \-]){{0,2}}[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿß]{{2,24}}(?:{joined}) {number}"
        rf"|(?<!\w)(?:{_NAME} ){{1,2}}(?:{after}) {number}"
        rf"|(?<!\w)(?:{before}) {small}{_NAME}(?: {small}{_NAME}){{0,2}},? (?:(?:d|dom|bldg?)\.? ?)?{number}"
        rf"|(?<![\w.]){number},? (?:bis |ter )?(?:{before}) {small}{_NAME}(?:[ \-]{small}{_NAME}){{0,3}}"
    )
    word = _NAME.replace(".", "")
    town = rf"{word}(?:[ \-]{word}){{0,2}}"
    flat = r"(?:[/\-]\d{1,4}|,? (?:m\.|dz\.|app\.|Whg\.|kv\.|ap\.) ?\d{1,4})?"
    return re.compile(
        rf"(?:{street}){flat}(?:,? ?\n?(?:{_CODE} {town}|{town},? {_CODE})(?:,? (?:{country})\b)?)?"
    )
