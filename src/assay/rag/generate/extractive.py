"""The built-in generator: offline, deterministic and without a model. It quotes or abstains."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from operator import add, mul
from typing import Final, TypeAlias

from msgspec import Struct

from assay.rag.generate.protocol import ROLES, citation, first_words
from assay.records import Passage
from assay.text.answer_type import AnswerType, expected_types, types_present
from assay.text.character import CYRILLIC, HAN, LATIN
from assay.text.citation import NO_MENTION, without_citations
from assay.text.date import read_dates as dates
from assay.text.language import Language, language
from assay.text.lexicon import alternatives, entry, lazy_pattern
from assay.text.normalise import Span, normalised
from assay.text.number import numbers
from assay.text.search_term import words
from assay.text.sentence import sentences

# Analysis of a question: its content words, the kinds of answer it expects, and its parts.

_FUNCTION_WORDS: Final[Mapping[Language, str]] = {
    "en": "a an the of in on at to by for from with without into onto over under about as than then"
    " and or but if so nor not no yes is are was were be been being am do does did done doing have"
    " has had having will would shall should can could may might must i me my mine we us our you"
    " your he him his she her it its they them their one ones this that these those there here"
    " who whom whose what which when where why how much many long often soon far old quickly ever"
    " any some all each every both either such same other another own more most less least very"
    " just only also too still already yet up down out off back again once while during before"
    " after between against through per via get gets got give given gives take put let go goes"
    " please tell say says said themselves himself herself itself myself",
    "ru": "и в во на с со к ко о об обо от из у по за до под над при про для без через между перед"
    " а но или либо же ли бы то что чтобы как так если когда где куда откуда кто кого кому кем чей"
    " чья чьи чьё какой какая какое какие какого какую каким каких каков какова каково каковы"
    " сколько скольких насколько почему зачем почём отчего я мне меня мы нас нам вы вас вам он она"
    " оно они его её ему ей их им ими этот эта это эти этого этой этому том тот та те того той тех"
    " тем сам сама сами себя себе свой своя своё свои своего своей своих который которая которое"
    " которые которого которой которых не ни нет да есть был была было были быть будет будут стал"
    " стала стало стали может могут можно нужно надо ещё уже только лишь даже весь вся всё все всех"
    " всего теперь тогда там тут здесь ведь более менее очень также тоже другой раз",
    "zh": "的 了 着 过 地 得 是 在 有 和 与 及 或 而 且 并 也 都 就 才 又 还 再 很 太 最 更 吗 呢 吧 啊 呀 么"
    " 嘛 我 你 您 他 她 它 我们 你们 他们 她们 咱们 自己 这 那 哪 这个 那个 哪个 这些 那些 哪些 这里 那里"
    " 哪里 哪儿 什么 怎么 怎样 如何 为什么 为何 谁 几 多少 多久 多长 多大 多高 多远 何时 何处 是否 能 能否 可以"
    " 可 会 要 想 得 该 应该 需要 不 没 没有 别 把 被 给 让 叫 从 到 向 对 为 为了 由 于 以 按 照 跟 比 如果"
    " 要是 因为 因此 所以 但 但是 却 只 只能 一 一个 个 每 某 各 本 该 其 之 所 者 时候 里 上 下 中 内 外 前 后"
    " 请 请问 问 说 一下 有没有 能不能 是不是 行不行 要不要 可不可以 起码 最多 最少 至少 最晚 最迟 最久 算 来 去 家"
    " 家里 人 人家 东西 事 事情 样 一样 这样 那样 时 等 几个 几天 几点 几次 几年 几种 几名 第几 哪天 哪年",
}
_QUESTION_SIGN: Final = lazy_pattern(lambda: alternatives("question_analysis.question_sign"))
# In Russian a comma may begin a relative clause, as in "тех, кто".
_CLAUSE: Final = lazy_pattern(lambda: alternatives("question_analysis.clause"))
_NAME: Final = re.compile(rf"(?<=[{CYRILLIC}{LATIN}0-9,;] )[«\"“]?([A-ZА-ЯЁ][{CYRILLIC}{LATIN}]+)")


class QuestionAnalysis(Struct, frozen=True, kw_only=True):
    """The content words of a question with their weights, and the expected kinds of answer."""

    weights: Mapping[str, float]
    kinds: tuple[AnswerType, ...]


@lru_cache(maxsize=1024)
def analyse_question(question: str) -> QuestionAnalysis:
    """Analyse a question. The weights of its words do not depend on a corpus.

    A number has the weight 1. A Chinese word has 0.5 for one character, 1 for two and 1.3 for
    more. Any other word has 0.3 + 0.15 per letter, at most 1.2. The weight of a name is
    multiplied by 1.5.

    >>> sorted(analyse_question("How many days of notice must I give?").weights)
    ['day', 'notic']
    """
    names = {stem for match in _NAME.finditer(question) for stem in words(match[1])}
    weights = {
        word: _weight(word) * (1.5 if word in names else 1.0) for word in content_words(question)
    }
    return QuestionAnalysis(weights=weights, kinds=expected_types(question))


def question_parts(question: str) -> list[str]:
    """The clauses of a question that each ask something; empty if there are fewer than two.

    >>> question_parts("Who signs the form, and when is it due?")
    ['Who signs the form', 'when is it due']
    >>> question_parts("Who signs the form?")
    []
    """
    clauses = [clause.strip() for clause in _CLAUSE.split(question)]
    asking = [c for c in clauses if _QUESTION_SIGN.search(c) and analyse_question(c).weights]
    return asking if len(asking) > 1 else []


def content_words(text: str) -> list[str]:
    """The words of ``text`` without function words, in order, as ``assay.text.search_term.words`` gives them."""
    return [word for word in words(text) if word not in _function_stems()]


def _weight(word: str) -> float:
    if word[0].isdigit():
        return 1.0
    if re.match(f"[{HAN}]", word):
        return (0.5, 1.0, 1.3)[min(len(word), 3) - 1]
    return min(1.2, 0.3 + 0.15 * len(word))


@lru_cache(maxsize=1)
def _function_stems() -> frozenset[str]:
    """The function words of all languages, as written and as ``assay.text.search_term.words`` gives them."""
    return frozenset(
        form
        for listed in _FUNCTION_WORDS.values()
        for word in listed.split()
        for form in (word, *words(word))
    )


# The parts of a text that can be quoted: its sentences and the rows of its tables.

_TABLE_ROW: Final = re.compile(r"^[ \t]*\|.*$", re.MULTILINE)
_TABLE_RULE: Final = re.compile(r"[\s|:+-]*")
_FINISHED: Final = re.compile(r"[.!?…。！？；;:：][\"'»”’」』）)\]】]*\Z")
_LONGEST_HEADING: Final = 120


def quotable(text: str) -> list[Span]:
    r"""The sentences and table rows of ``text`` that can be quoted.

    Headings are included only if the text contains nothing else.

    >>> text = "Article 5. Leave\n\nNine days are paid.\n\n| Year | Days |\n|---|---|\n| 1 | 9 |"
    >>> [span.of(text) for span in quotable(text)]
    ['Nine days are paid.', '| Year | Days |', '| 1 | 9 |']
    """
    all_units = units(text)
    return [unit for unit in all_units if not _is_heading(unit.of(text))] or list(all_units)


@lru_cache(maxsize=2048)
def units(text: str) -> tuple[Span, ...]:
    """All sentences, headings and table rows of ``text``, in order."""
    return tuple(unit for sentence in sentences(text) for unit in _rows(text, sentence))


def _rows(text: str, sentence: Span) -> Iterator[Span]:
    """The sentence, split at the table rows that it contains; lines like ``|---|`` are left out."""
    position = sentence.start
    for row in _TABLE_ROW.finditer(text, sentence.start, sentence.end):
        yield from _strip(text, position, row.start())
        if not _TABLE_RULE.fullmatch(row.group()):
            yield from _strip(text, row.start(), row.end())
        position = row.end()
    yield from _strip(text, position, sentence.end)


def _strip(text: str, start: int, end: int) -> Iterator[Span]:
    """The span without white space at its ends; nothing if it is all white space."""
    piece = text[start:end]
    if piece.strip():
        begin = start + len(piece) - len(piece.lstrip())
        yield Span(start=begin, end=begin + len(piece.strip()))


def _is_heading(piece: str) -> bool:
    return (
        len(piece) <= _LONGEST_HEADING and not piece.startswith("|") and not _FINISHED.search(piece)
    )


# How well a text supports an answer to a question, judged by words. Pure and deterministic.
#
# The weight of a content word of the question depends on its length and on whether it is a name.
# Statistics of a corpus are not needed: weights by rarity in the corpus did not give better quotes
# (see docs/evidence/retrieval.md). A word counts partly if only some of its n-grams occur, which handles
# inflection and compounds. ::
#
#     coverage = WINDOW · coverage of the window + (1 - WINDOW) · coverage of the whole text
#     score    = coverage · (1 - FIT + FIT · share of the expected kinds in the window)
#
# A window is one sentence, or several neighbouring sentences that each add to the coverage. An
# expected kind is what the question word asks for, for example an amount, a date or a person.

WINDOW: Final = 0.5
"""The weight of the window in the coverage; the rest is the weight of the complete text.

The complete text counts because it often names the subject elsewhere.
"""
FIT: Final = 0.2
"""The part of the score that depends on the expected kinds of answer."""
GAIN: Final = 0.12
"""The coverage that a neighbouring sentence must add to become part of the window."""
PARTIAL: Final = 0.7
"""The value of a word that occurs only partly, multiplied by the share of its n-grams."""
HAN_SINGLE: Final = 0.4
"""The value of a Chinese word of which single characters occur, multiplied by their share."""
LONGEST_WINDOW: Final = 3
"""The largest number of sentences in a window."""

_HAN_FIRST: Final = re.compile(f"[{HAN}]")

WordCoverage: TypeAlias = Sequence[float]
"""For each word of a question, how completely it occurs in a text, from 0 to 1."""


class Support(Struct, frozen=True, kw_only=True):
    """How well a text supports an answer, from 0 to 1, and its best sentences.

    ``fit`` is the share of the expected kinds of answer that occur in these sentences. It is
    None if the question does not say which kind it expects.
    """

    score: float
    coverage: float
    fit: float | None
    spans: tuple[Span, ...]


NO_SUPPORT: Final = Support(score=0.0, coverage=0.0, fit=None, spans=())
"""The support of an empty text, or for a question without content words."""


def support(question: str, text: str) -> Support:
    """The support of ``text`` for an answer to ``question``, with the best window of sentences.

    >>> text = "Visitors sign in. Notice is thirty days. Keys are returned."
    >>> best = support("How many days of notice must I give?", text)
    >>> [span.of(text) for span in best.spans], best.fit
    (['Notice is thirty days.'], 1.0)
    """
    analysis = analyse_question(question)
    sentences = quotable(text)
    if not sentences or not analysis.weights:
        return NO_SUPPORT
    total = _added(analysis.weights.values())
    shares = {word: weight / total for word, weight in analysis.weights.items()}
    question_words = tuple(shares)
    text_coverage = _weighted_sum(
        shares, _union([_word_coverage(question_words, unit.of(text)) for unit in units(text)])
    )
    pieces = [sentence.of(text) for sentence in sentences]
    coverages = [_word_coverage(question_words, piece) for piece in pieces]
    best = NO_SUPPORT
    for first, last, window_coverage in _windows(shares, coverages):
        coverage = min(1.0, WINDOW * window_coverage + (1 - WINDOW) * text_coverage)
        if coverage > best.score:  # otherwise it cannot be the best, whatever its fit is
            fit = kind_fit(analysis.kinds, pieces[first:last])
            score = coverage * (1 - FIT + FIT * (1.0 if fit is None else fit))
            if score > best.score:
                spans = tuple(sentences[first:last])
                best = Support(score=score, coverage=coverage, fit=fit, spans=spans)
    return best


def kind_fit(kinds: Sequence[AnswerType], pieces: Sequence[str]) -> float | None:
    """The share of the expected kinds that occur in the pieces; None if no kind is expected."""
    if not kinds:
        return None
    present = frozenset[AnswerType]().union(*map(types_present, pieces))
    return sum(kind in present for kind in kinds) / len(kinds)


def _windows(
    shares: Mapping[str, float], coverages: Sequence[WordCoverage]
) -> Iterator[tuple[int, int, float]]:
    """The windows as ``(first, end, coverage)``: every sentence, and longer windows.

    A window becomes longer only as long as each added sentence raises the coverage by ``GAIN``.
    """
    single = [_weighted_sum(shares, coverage) for coverage in coverages]
    for first, covered in enumerate(single):
        yield first, first + 1, covered
        previous = covered
        for last in range(first + 2, min(first + LONGEST_WINDOW, len(coverages)) + 1):
            wider = _weighted_sum(shares, _union(coverages[first:last]))
            if wider < max(previous, single[last - 1]) + GAIN:
                break
            yield first, last, wider
            previous = wider


def _weighted_sum(shares: Mapping[str, float], coverage: WordCoverage) -> float:
    return _added(map(mul, shares.values(), coverage))


def _union(coverages: Sequence[WordCoverage]) -> WordCoverage:
    """For each word, the best coverage in any of several pieces."""
    return coverages[0] if len(coverages) == 1 else list(map(max, *coverages))


# Cached, because the parts of a question and several variants of a run use the same pieces.
@lru_cache(maxsize=8192)
def _word_coverage(question_words: tuple[str, ...], piece: str) -> WordCoverage:
    piece_words, letters = _piece_words(piece)
    return [
        1.0 if word in piece_words else _partial_coverage(word, letters) for word in question_words
    ]


@lru_cache(maxsize=8192)
def _piece_words(piece: str) -> tuple[frozenset[str], str]:
    """The words of a piece, and its normalised text."""
    return frozenset(words(piece)), normalised(piece, fold_case=True)


def _partial_coverage(word: str, letters: str) -> float:
    """The coverage of a word that does not occur in the text, from the n-grams that do."""
    is_chinese, grams = _grams(word)
    if not grams:
        return 0.0
    share = sum(gram in letters for gram in grams) / len(grams)
    if not is_chinese:
        return share * PARTIAL if share >= 0.6 else 0.0
    if len(word) == 1:
        return share * PARTIAL
    single = sum(character in letters for character in word) / len(word)
    return max(share, HAN_SINGLE * single)


@lru_cache(maxsize=4096)
def _grams(word: str) -> tuple[bool, tuple[str, ...]]:
    """Whether a word is Chinese, and its n-grams; none for a number or a short word."""
    if _HAN_FIRST.match(word):
        size = min(2, len(word))
    elif len(word) < 5 or word[0].isdigit():
        return False, ()
    else:
        size = 3
    grams = tuple(word[start : start + size] for start in range(len(word) - size + 1))
    return size < 3, grams


THRESHOLD: Final = 0.15
"""If the best support is below this value, the generator returns the no-mention answer.

It is the highest multiple of 0.05 at which, in each language of the samples, at most one in ten
questions whose answer was retrieved gets the no-mention answer (``bench/extractive.py`` prints
the curve).
"""
MOST_SENTENCES: Final = 3
"""The largest number of sentences in one answer."""
RANK: Final = 0.5
"""The bonus for high ranks: the support of the passage with rank n is multiplied by 1 + RANK/n."""
PART_SHARE: Final = 0.5
"""The weight of a part's own support when its sentences are chosen.

The remaining weight is that of the support for the complete question.
"""

_TOKEN: Final = re.compile(rf"[{HAN}]+|[^\W{HAN}]+(?:[-'’.,/][^\W{HAN}]+)*")
_END: Final = " \t\r\n?？!！.。,，;；:：…"


class _Quote(Struct, frozen=True, kw_only=True):
    """A sentence to quote: the index of its passage, and its span in the passage."""

    passage: int
    span: Span


class ExtractiveGenerator:
    """Quotes the sentences with the best support, and rewrites questions by rules, offline."""

    def __init__(self, *, threshold: float = THRESHOLD) -> None:
        self.threshold = threshold

    @property
    def identity(self) -> str:
        """The version of the method and the threshold."""
        return f"extractive-2 threshold={self.threshold:g}"

    @property
    def makes_calls(self) -> bool:
        """Always False."""
        return False

    async def expand(self, question: str, count: int) -> list[str]:
        """Return the distinct wordings that the rules give.

        They are the keywords of the question, the question with canonical numbers and dates, its
        parts, and the keywords of its parts.
        """
        return _distinct(question, _wordings(question))[: max(count, 0)]

    async def hypothesise(self, question: str, max_words: int) -> str:
        """Return the question as a statement: question words become words of the expected kind."""
        return first_words(_statement(question), max_words)

    async def grade(self, question: str, passages: Sequence[Passage]) -> list[float]:
        """Return the support of each passage."""
        return [support(question, passage.text).score for passage in passages]

    async def answer(self, question: str, passages: Sequence[Passage], citation_style: str) -> str:
        """Quote one to three sentences, each with its citation; or return the no-mention answer."""
        question_language = language(question)
        quotes = _quotes(question, passages, self.threshold)
        if not quotes:
            return NO_MENTION[question_language]
        gap = "" if question_language == "zh" else " "
        sentences = []
        for quote in quotes:
            passage = passages[quote.passage]
            text = without_citations(quote.span.of(passage.text), pages=citation_style == "page")
            mark = citation(quote.passage + 1, passage.page, citation_style, question_language)
            sentences.append(f"{text}{gap}{mark}")
        return gap.join(sentences)

    def calls(self) -> Mapping[str, int]:
        """The number of model calls for each role, always 0."""
        return dict.fromkeys(ROLES, 0)

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""


def _quotes(question: str, passages: Sequence[Passage], threshold: float) -> list[_Quote]:
    """The best sentences for each part of the question whose support reaches the threshold."""
    supports = [support(question, passage.text) for passage in passages]
    quotes: dict[_Quote, None] = {}
    for part in question_parts(question):
        part_supports = [support(part, passage.text) for passage in passages]
        quotes |= _best_quotes(part_supports, supports, passages, threshold)
    # The complete question is used only if none of its parts gave a quote.
    return list(quotes or _best_quotes(supports, supports, passages, threshold))[:MOST_SENTENCES]


def _best_quotes(
    part_supports: Sequence[Support],
    question_supports: Sequence[Support],
    passages: Sequence[Passage],
    threshold: float,
) -> dict[_Quote, None]:
    """The sentences of the passage that best supports a part and the complete question.

    Empty if the best score is below the threshold. The dict is used as an ordered set.
    """
    scores = [
        PART_SHARE * part.score + (1 - PART_SHARE) * question.score
        for part, question in zip(part_supports, question_supports, strict=True)
    ]
    if max(scores, default=0.0) < threshold:
        return {}
    ranked = [
        score * (1 + RANK / (passage.rank or 1))
        for score, passage in zip(scores, passages, strict=True)
    ]
    best = ranked.index(max(ranked))
    return {_Quote(passage=best, span=span): None for span in part_supports[best].spans}


def _wordings(question: str) -> Iterator[str]:
    yield " ".join(_keywords(question))
    yield _canonical(question)
    for part in question_parts(question):
        yield part
    for part in question_parts(question):
        yield " ".join(_keywords(part))


def _distinct(question: str, wordings: Iterable[str]) -> list[str]:
    """The wordings that differ from the question and from each other in more than punctuation."""
    seen = {_letters(question), ""}
    distinct: list[str] = []
    for wording in wordings:
        key = _letters(wording)
        if key not in seen and content_words(wording):
            seen.add(key)
            distinct.append(wording)
    return distinct


def _letters(text: str) -> str:
    """The normalised letters and digits of a text, without spaces and punctuation."""
    return "".join(filter(str.isalnum, normalised(text, fold_case=True)))


def _keywords(text: str) -> list[str]:
    """The content words as written in the text; Chinese text is split into words."""
    keywords: list[str] = []
    for match in _TOKEN.finditer(text):
        token = match.group()
        if re.match(f"[{HAN}]", token):
            keywords.extend(content_words(token))
        elif content_words(token):
            keywords.append(token)
    return list(dict.fromkeys(keywords))


def _canonical(text: str) -> str:
    """The text with every date and number in its canonical form."""
    text_dates = dates(text)
    forms = [(date.start, date.end, date.iso) for date in text_dates]
    forms += [
        (number.start, number.end, number.canonical)
        for number in numbers(text)
        if not any(date.start < number.end and number.start < date.end for date in text_dates)
    ]
    for start, end, form in sorted(forms, reverse=True):
        text = f"{text[:start]}{form}{text[end:]}"
    return text


def _statement(question: str) -> str:
    question_language = language(question)
    stop = "。" if question_language == "zh" else "."
    gap = "" if question_language == "zh" else " "
    clauses = [clause.strip(_END) for clause in re.split(r"[?？]", question)]
    statements = [_fill_placeholders(clause, question_language) for clause in clauses if clause]
    return gap.join(f"{text[:1].upper()}{text[1:]}{stop}" for text in statements if text)


def _fill_placeholders(clause: str, language: Language) -> str:
    """The clause with its question words replaced by placeholders."""
    for pattern, placeholder in entry(language, "extractive.placeholders"):
        bounded = pattern if language == "zh" else rf"(?<!\w)(?:{pattern})(?!\w)"
        clause = re.sub(bounded, placeholder, clause, flags=re.IGNORECASE)
    return " ".join(clause.split())


def _added(numbers: Iterable[float]) -> float:
    """The sum, rounded at each step: ``sum`` does so before Python 3.12 only, and near ties would differ."""
    return reduce(add, numbers, 0.0)
