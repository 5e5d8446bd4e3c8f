"""The words of heatmaps, and numbers as heatmaps show them in each language."""

from typing import Final

from assay.words.language import Lang
from assay.words.message import message, message_n
from assay.words.say import say_in, say_n_in

_WORDS: Final = {
    "depth map": message("Recall by depth"),
    "coverage map": message("Questions along the novel"),
    "accuracy map": message("Recall along the novel"),
    "combined map": message("Questions and recall along the novel"),
    "combined_depth map": message("Recall by depth and along the novel"),
    "no data": message("no data"),
    "no data tile": message("no data 无数据"),
    "no data short": message("–"),
    "context length": message("context length, tokens", "heatmap"),
    "depth": message("depth of the answer"),
    "position": message("position in the novel, tokens"),
    "model": message("model"),
    "colon": message(": "),
    "data set": message("data set", "heatmap"),
    "accuracy": message("accuracy"),
    "interval": message("{percent}% interval"),
    "questions": message("questions", "heatmap"),
    "answers": message("answers"),
    "unparsed": message("unparsed"),
    "answered": message("not judged"),
    "failed": message("failed"),
    "skipped": message("skipped"),
    "length": message("context"),
    "tip depth": message("depth"),
    "tokens": message("{n} tokens"),
    "stretch": message("tokens"),
    "covered": message("tokens that are evidence"),
    "coverage": message("relative to the densest"),
    "mean of cells": message("mean of cells"),
    "mean of questions": message("mean of questions"),
    "mean": message("mean"),
    "cells": message("cells"),
    "answers counted": message("Answers counted"),
    "all": message("all"),
    "parsed": message("parsed only"),
    "view all": message("unparsed answers count as 0"),
    "view parsed": message("unparsed answers left out"),
    "means": message("Means"),
    "of cells": message("of cells"),
    "of questions": message("of questions"),
    "colours": message("Colours"),
    "green-red": message("green to red"),
    "safe": message("colour-blind safe"),
    "difference": message("difference"),
    "difference of": message("{model} − {baseline}"),
    "points": message("{n} points", "heatmap"),
    "pairs": message("paired questions"),
    "gained": message("scored higher"),
    "lost": message("scored lower"),
    "p": message("p, corrected"),
    "verdict": message("verdict"),
    "significant": message("significant"),
    "not significant": message("no difference shown"),
    "framed": message("significant after correction"),
    "lower": message("lower"),
    "higher": message("higher"),
    "close": message("Close"),
    "wrong only": message("only those not fully right"),
    "changed only": message("only those that changed"),
    "none listed": message("Nothing to list."),
    "correct answer": message("right answer"),
    "score": message("score", "heatmap"),
    "no answer": message("(nothing)"),
    "at depth": message("placed at {depth}"),
    "at tokens": message("tokens {start}–{end} of the novel"),
    "more": message("… and {n} more: {right} right, {wrong} not fully right."),
    "more pairs": message("… and {n} more: {changed} changed."),
    "keys": message("Arrow keys move between cells, Enter lists a cell's questions."),
    "needs script": message(
        "The maps are drawn by a script inside this file; the table below needs none."
    ),
    "note replaced": message_n(
        "{model}: {n} row replaced by a later row of the same case.",
        "{model}: {n} rows replaced by a later row of the same case.",
        0,
    ),
    "note unplaced": message_n(
        "{model}: {n} row without a context length or a depth is not shown.",
        "{model}: {n} rows without a context length or a depth are not shown.",
        0,
    ),
    "note unscored": message_n(
        "{model}: {n} answer without a score is not shown.",
        "{model}: {n} answers without a score are not shown.",
        0,
    ),
    "note contradicted": message_n(
        "{model}: {n} row with a score above 0 says that there is no answer; a failed one is left out, otherwise the score is used.",
        "{model}: {n} rows with a score above 0 say that there is no answer; a failed one is left out, otherwise the score is used.",
        0,
    ),
    "note excluded": message_n(
        "{model}: {n} answer to {questions} known by heart is left out.",
        "{model}: {n} answers to {questions} known by heart are left out.",
        0,
    ),
    "note outside": message_n(
        "{model}: {n} recorded row is not part of this run.",
        "{model}: {n} recorded rows are not part of this run.",
        0,
    ),
    "note unknown": message(
        "{model}: the file does not say which questions are known by heart; none is left out."
    ),
    "note unpaired": message(
        "{model} and {baseline} share no question in any cell: there is nothing to compare."
    ),
    "note difference": message_n(
        "Differences are over paired questions. Framed cells are significant (p < 0.05) after Holm's correction; cells in which an answer changed: {cells}. For any to pass, one needs at least {n} changed answer, all one way. Margins pool the cells and are corrected among themselves.",
        "Differences are over paired questions. Framed cells are significant (p < 0.05) after Holm's correction; cells in which an answer changed: {cells}. For any to pass, one needs at least {n} changed answers, all one way. Margins pool the cells and are corrected among themselves.",
        0,
    ),
    "note statuses": message(
        "{model}: parsing_status {names} is not known; such an answer counts as parsed if it names a choice or a text."
    ),
    "note positions": message_n(
        "{model}: {n} question has no position in the novel and is not shown.",
        "{model}: {n} questions have no position in the novel and are not shown.",
        0,
    ),
}


def heat_word(key: str, lang: Lang, n: int | str | None = None, **fields: str) -> str:
    """Returns a word or a sentence of a heatmap with its ``{name}`` fields filled.

    A whole number chooses the form of a noun, and is shown like ``shown_count``.

    >>> heat_word("no data", "zh"), heat_word("tokens", "en", n="4,000")
    ('无数据', '4,000 tokens')
    """
    text = _WORDS[key]
    if n is not None:
        fields["n"] = shown_count(n, lang) if isinstance(n, int) else n
    if text.plural is None or not isinstance(n, int):
        return say_in(lang, text.text, text.context, **fields)
    return say_n_in(lang, text.text, text.plural, n, **fields)


def shown_count(number: int, lang: Lang) -> str:
    r"""A whole number with a separator between groups of three digits.

    >>> shown_count(163840, "en"), shown_count(163840, "ru")
    ('163,840', '163\xa0840')
    """
    return f"{number:,}".replace(",", "\u00a0" if lang == "ru" else ",")


def shown_decimal(value: float, digits: int) -> str:
    """A number rounded to ``digits`` decimals.

    It has a decimal point in every language, as in tables and on the page. A negative number has a
    true minus sign, and a number that rounds to zero has no sign.

    >>> shown_decimal(-0.25, 1), shown_decimal(-0.04, 1)
    ('−0.2', '0.0')
    """
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text.replace("-", "−")


def shown_percent(value: float, lang: Lang, digits: int = 2) -> str:
    r"""A share from 0 to 1 as a percentage with its sign.

    >>> shown_percent(0.890909, "en"), shown_percent(0.5, "ru", 1)
    ('89.09%', '50.0\xa0%')
    """
    return shown_decimal(100 * value, digits) + ("\u00a0%" if lang == "ru" else "%")


def short_percent(value: float) -> str:
    """A share from 0 to 1 as a percentage for a tile, with one decimal unless it is whole.

    It reads 0 or 100 only if the share is exactly 0 or 1.

    >>> short_percent(1.0), short_percent(0.9963), short_percent(0.9999)
    ('100', '99.6', '99.9')
    """
    tenths = round(1000 * value)
    if tenths == 1000 and value < 1:
        tenths = 999
    if tenths == 0 and value > 0:
        tenths = 1
    return shown_decimal(tenths / 10, 0 if tenths % 10 == 0 else 1)


def whole_percent(value: float) -> str:
    """A share from 0 to 1 as a whole percentage for a narrow tile.

    It reads 0 or 100 only if the share is exactly 0 or 1.

    >>> whole_percent(0.996), whole_percent(1.0), whole_percent(0.001)
    ('99', '100', '1')
    """
    number = round(100 * value)
    if number == 100 and value < 1:
        number = 99
    if number == 0 and value > 0:
        number = 1
    return str(number)


def shown_length(tokens: int) -> str:
    """A number of tokens in thousands (K) or millions (M), rounded to 100 or 10,000 tokens.

    A number below 1,000 is written in full.

    >>> shown_length(32000), shown_length(163840), shown_length(1_000_000), shown_length(512)
    ('32K', '163.8K', '1M', '512')
    """
    if tokens < 1000:
        return str(tokens)
    if tokens < 999_950:
        return shown_decimal(tokens / 1000, 1).removesuffix("0").rstrip(".") + "K"
    return shown_decimal(tokens / 1_000_000, 2).rstrip("0").rstrip(".") + "M"


def length_labels(lengths: tuple[int, ...]) -> tuple[str, ...]:
    """Labels of context lengths; those whose short labels are equal are written in full.

    >>> length_labels((32000, 32010, 64000))
    ('32000', '32010', '64K')
    """
    labels = [shown_length(length) for length in lengths]
    return tuple(
        str(length) if labels.count(label) > 1 else label
        for length, label in zip(lengths, labels, strict=True)
    )
