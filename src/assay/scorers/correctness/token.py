"""The tokens by which an answer is compared with the expected one, for three languages.

English follows the definition of SQuAD (Rajpurkar et al. 2016): lower case, without punctuation
and articles, cut at white space. Where SQuAD has nothing to say, the rules are those of the phrase
matcher: a Chinese character is a token (or a Chinese word, if words are asked for), the forms of a
Russian word are one word, and a number or a date is its value, however it is written. Citations and
Markdown emphasis are not part of an answer. A currency or a percent sign belongs to its number: two
amounts that have only the currency in common have nothing in common.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import Final, Literal, NamedTuple, TypeAlias

from assay.scorers.mention import is_section
from assay.text import (
    CYRILLIC,
    HAN,
    Piece,
    dated_pieces,
    said_text,
    same_word,
    stem,
    tagged_words,
    without_citations,
)
from assay.text.lexicon import word_list

Cut: TypeAlias = Literal["character", "word"]
"""How Chinese is cut."""

_ARTICLES: Final = frozenset({"a", "an", "the"})
_EMPHASIS: Final = re.compile(r"(?<!\d)[*`]+|[*`]+(?!\d)")
_DOTTED: Final = re.compile(r"\d+\.\d+")
_HAN: Final = re.compile(f"[{HAN}]")
_RUSSIAN: Final = re.compile(f"[{CYRILLIC}]")
_LATIN: Final = re.compile(r"[a-z\u00df-\u024f]")
_INNER: Final = frozenset("'’-./&_")
"""Marks that SQuAD deletes inside a word: ``don't`` is ``dont``, and ``U.S.`` is ``us``."""


class Token(NamedTuple):
    """A token of an answer; ``form`` is a Russian word as it is written, else empty."""

    key: str
    form: str = ""

    def is_same(self, other: "Token") -> bool:
        """Whether both are one word or value."""
        if self.form and other.form:
            return same_word(self.form, other.form)
        return self.key == other.key


def answer_tokens(text: str, *, chinese: Cut = "character", units: bool = True) -> list[str]:
    """The tokens of an answer in order; ``units`` says whether those beside numbers count.

    A text of punctuation only has its marks as tokens, and a text of articles only its articles.

    >>> answer_tokens("The U.S. doesn't pay 42,000 [1].")
    ['us', 'doesnt', 'pay', '42000']
    >>> answer_tokens("违约金为四万二千元", chinese="word"), answer_tokens("30 августа 2020 г.")
    (['违约金', '为', '42000', '42000 CNY'], ['date:2020-08-30'])
    """
    return [token.key for token in compared_tokens(text, chinese=chinese, units=units)]


def compared_tokens(text: str, *, chinese: Cut = "character", units: bool = True) -> list[Token]:
    """``answer_tokens`` in the form in which two answers are compared.

    >>> compared_tokens("в Москве")[1]
    Token(key='москв', form='Москве')
    """
    plain = _EMPHASIS.sub("", without_citations(said_text(text), pages=True))
    pieces = list(_with_amounts(_with_sections(dated_pieces(plain, simplify=True), plain)))
    words = _joined([piece for piece in pieces if units or piece.unit is None])
    tokens = [
        token for kind, run in groupby(words, _kind) for token in _tokens(kind, run, chinese, plain)
    ]
    kept = [token for token in tokens if token.key not in _ARTICLES]
    return kept or tokens or [Token(piece.key) for piece in pieces]


def _with_sections(pieces: Sequence[Piece], text: str) -> Iterator[Piece]:
    """The pieces with the number of a clause as it is written: 3.10 is not 3.1."""
    for piece in pieces:
        written = text[piece.start : piece.end]
        is_dotted = piece.number is not None and _DOTTED.fullmatch(written) is not None
        yield piece._replace(key=written) if is_dotted and is_section(text, piece.start) else piece


def _with_amounts(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces with the number in the key of its currency or percent sign.

    What repeats the currency after it (人民币36元) or names its hundredths (руб. 50 коп.) is left
    out: the number says it.
    """
    before: Piece | None = None
    for piece in pieces:
        if piece.unit is not None and before is not None and before.number is not None:
            before = piece._replace(key=f"{before.key} {piece.key}")
        elif before is not None and before.unit is not None and piece.key in _repeated_units():
            continue
        else:
            before = piece
        yield before


@cache
def _repeated_units() -> frozenset[str]:
    return frozenset(word_list("number.repeated_unit"))


def _joined(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """The pieces that are no marks, with the parts of a Latin word between inner marks joined."""
    word: Piece | None = None
    gap: Piece | None = None
    for piece in pieces:
        if piece.is_mark:
            gap = piece if word is not None and gap is None and piece.key in _INNER else None
            continue
        if word is not None and gap is not None and _is_continued(word, gap, piece):
            word = word._replace(key=word.key + piece.key, end=piece.end)
        else:
            if word is not None:
                yield word
            word = piece
        gap = None
    if word is not None:
        yield word


def _is_continued(word: Piece, gap: Piece, piece: Piece) -> bool:
    touches = word.end == gap.start and gap.end == piece.start
    return touches and _kind(word) == "latin" == _kind(piece)


def _kind(piece: Piece) -> str:
    if piece.number is not None or piece.unit is not None or piece.key.startswith("date:"):
        return "value"
    if _HAN.match(piece.key):
        return "han"
    if _RUSSIAN.match(piece.key):
        return "russian"
    return "latin" if _LATIN.match(piece.key) else "other"


def _tokens(kind: str, run: Iterator[Piece], chinese: Cut, text: str) -> Iterator[Token]:
    if kind == "han" and chinese == "word":
        for _, stretch in groupby(_numbered(run), lambda item: item[0]):
            yield from (Token(word) for word, _ in tagged_words("".join(key for _, key in stretch)))
    elif kind == "russian":
        yield from (Token(stem(piece.key), text[piece.start : piece.end]) for piece in run)
    else:
        yield from (Token(piece.key) for piece in run)


def _numbered(run: Iterator[Piece]) -> Iterator[tuple[int, str]]:
    """The characters, each with the number of the stretch without a mark or space it is in."""
    number, end = 0, -1
    for piece in run:
        number += piece.start != end
        end = piece.end
        yield number, piece.key
