"""The words of heatmaps."""

from typing import Final

from assay.report.look import shown_count
from assay.words.language import Lang
from assay.words.message import message, message_n
from assay.words.say import say_in, say_n_in

_WORDS: Final = {
    "numbers": message("Numbers of the map"),
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
    "all": message("all"),
    "parsed": message("parsed only"),
    "view all": message("unparsed answers count as 0"),
    "view parsed": message("unparsed answers left out"),
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
