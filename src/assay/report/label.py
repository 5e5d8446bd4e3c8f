"""The words that tables, charts and report pages show beside the data."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final

from assay.records import Metric
from assay.words.language import LANGUAGES, Lang
from assay.words.message import Title
from assay.words.translation import translation


def word(key: str, lang: Lang = "en") -> str:
    """Returns a word or a sentence; some contain ``{name}`` fields for the caller to fill.

    >>> word("failed", "zh"), word("failed", "ru")
    ('失败', 'сбой')
    """
    return translation(lang).label[key]


def page_word(key: str, lang: Lang = "en") -> str:
    """Returns a word or a sentence of the page; some contain ``{name}`` fields.

    >>> page_word("question", "zh"), page_word("question", "ru")
    ('问题', 'вопрос')
    """
    return translation(lang).page[key]


def page_words() -> tuple[str, ...]:
    """Returns the keys of all words of the page."""
    return tuple(translation("en").page)


def value_word(kind: str, value: str, lang: Lang = "en") -> str:
    """Translates a value of a fixed vocabulary, such as a state or the name of a test.

    A value without a translation is returned unchanged: users may add their own values.

    >>> value_word("difficulty", "easy", "zh"), value_word("difficulty", "fiendish", "zh")
    ('简单', 'fiendish')
    """
    return translation(lang).value.get(kind, {}).get(value, value)


def value_templates(kind: str, lang: Lang = "en") -> Mapping[str, str]:
    """The sentences of a kind, with gaps such as ``{a}``, by the English ones.

    >>> value_templates("finding", "ru")["the corpus has no chunk {a}"]
    'в корпусе нет фрагмента {a}'
    """
    return translation(lang).value[kind]


def metric_title(metric: Metric, lang: Lang = "en") -> str:
    """The name of a metric on an axis or above a column, with its unit.

    A metric without a title in this language shows its English title, and a metric without any
    title its name. If the run's ``top_k`` is not known, the title has the letter k in its place.

    >>> metric = Metric(name="wait", field="wait", title="Wait", title_zh="等待", unit="s")
    >>> metric_title(metric, "en"), metric_title(metric, "zh"), metric_title(metric, "ru")
    ('Wait, s', '等待（秒）', 'Wait, с')
    """
    titles = {"en": metric.title, "zh": metric.title_zh, "ru": metric.title_ru}
    title = (titles[lang] or metric.title or metric.name).replace("{k}", "k")
    if not metric.unit:
        return title
    unit = value_word("unit", metric.unit, lang)
    return f"{title}（{unit}）" if lang == "zh" else f"{title}, {unit}"


@lru_cache(maxsize=1024)
def title_of(metric: Metric) -> Title:
    """The name of a metric with its unit, in all languages.

    >>> title_of(Metric(name="wait", field="wait", title="Wait", title_zh="等待", unit="s")).zh
    '等待（秒）'
    """
    return Title(**{lang: metric_title(metric, lang) for lang in LANGUAGES})


def metric_label(metric: Metric, lang: Lang = "en") -> str:
    """The title of a metric with its name for programs, for a chart or a single line.

    >>> metric_label(Metric(name="avg_gold_coverage", field="c", title="Recall@10"))
    'Recall@10 (avg_gold_coverage)'
    """
    title = metric_title(metric, lang)
    return title if title == metric.name else f"{title} ({metric.name})"


# Sentences that are recorded or checked in English, in another language.
#
# Rows have their reasons in English, because programs read them. Whoever shows one retells it: the sentences of
# each kind are listed with their translations (``[value.KIND]`` of the language), and what stands in
# their gaps is kept. A sentence that is not listed, such as that of a library, stays as it is.

_GAP = re.compile(r"\\\{(\w+)\\\}")


def retold(kind: str, text: str, lang: Lang) -> str:
    """A sentence of a kind in a language; a name before a colon, such as that of a field, stays.

    >>> retold("finding", "town.md: the evidence does not have the answer 'Ann'", "zh")
    "town.md: 证据中没有答案 'Ann'"
    >>> retold("fault", "“in all” (page 2): there is no page 2", "ru")
    '«in all» (страница 2): страницы 2 нет'
    """
    if lang == "en":
        return text
    name, colon, rest = text.partition(": ")
    if colon and " " not in name and (translated := retold(kind, rest, lang)) != rest:
        return f"{retold(kind, name, lang)}: {translated}"
    for pattern, template in _sentences(kind, lang):
        match = pattern.fullmatch(text)
        if match:
            # what fills a gap may be a sentence of the kind too, such as a reason
            gaps = {name: retold(kind, gap, lang) for name, gap in match.groupdict().items()}
            return template.format(**gaps)
    before, colon, after = text.rpartition(": ")
    if colon and (translated := retold(kind, after, lang)) != after:
        return f"{retold(kind, before, lang)}: {translated}"
    return text


def sentence_pattern(template: str) -> re.Pattern[str]:
    """A pattern for the sentences that a template with gaps such as ``{a}`` makes."""
    return re.compile(_GAP.sub(lambda gap: f"(?P<{gap[1]}>.+?)", re.escape(template)), re.DOTALL)


@cache
def _sentences(kind: str, lang: Lang) -> list[tuple[re.Pattern[str], str]]:
    """The sentences as patterns; those with the most words of their own first."""
    listed = value_templates(kind, lang)
    order = sorted(listed, key=lambda text: -len(re.sub(r"\{\w\}", "", text)))
    return [(sentence_pattern(text), listed[text]) for text in order]


# Sentences that another part wrote in English, in another language.
#
# The gate of ``assay compare`` gives its reasons as English text, for files and for programs. The words
# of the page have the same sentences with ``{name}`` fields (keys that begin with ``said``). A
# sentence that fits one of them is filled into the other language; any other stays as it is.

PREFIX: Final = "said "


def said(text: str, lang: Lang) -> str:
    """The English sentence in a language; sentences may be joined by semicolons.

    >>> said("base and candidate are the same file", "ru")
    'основа и кандидат — один и тот же файл'
    """
    if lang == "en":
        return text
    whole = _translated(text, lang)
    if whole is not None:
        return whole
    return "; ".join(
        _translated(part, lang) or retold("note", part, lang) for part in text.split("; ")
    )


def _translated(text: str, lang: Lang) -> str | None:
    for name, pattern in _patterns():
        match = pattern.fullmatch(text)
        if match is not None:
            return page_word(f"said {name}", lang).format(**match.groupdict())
    return None


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The names of the sentences with patterns for the English ones, the longest first."""
    names = [key.removeprefix(PREFIX) for key in page_words() if key.startswith(PREFIX)]
    english = {name: page_word(f"said {name}", "en") for name in names}
    longest_first = sorted(names, key=lambda name: -len(english[name]))
    return tuple((name, sentence_pattern(english[name])) for name in longest_first)
