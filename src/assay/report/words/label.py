"""The words that tables, charts and report pages show beside the data."""

from assay.records import Metric
from assay.report.words.translation import Lang, translation


def word(key: str, lang: Lang = "en") -> str:
    """Returns a word or a sentence; some contain ``{name}`` fields for the caller to fill.

    >>> word("failed", "zh"), word("failed", "ru")
    ('失败', 'сбой')
    """
    return translation(lang).label[key]


def value_word(kind: str, value: str, lang: Lang = "en") -> str:
    """Translates a value of a fixed vocabulary, such as a state or the name of a test.

    A value without a translation is returned unchanged: users may add their own values.

    >>> value_word("difficulty", "easy", "zh"), value_word("difficulty", "fiendish", "zh")
    ('简单', 'fiendish')
    """
    return translation(lang).value.get(kind, {}).get(value, value)


def metric_title(metric: Metric, lang: Lang = "en") -> str:
    """The name of a metric on an axis or above a column.

    In English it is the title that the metric declares, followed by its unit. In other languages
    it is the translation of the metric's name. A metric without a translation keeps its English
    title without the unit, and a metric without a title shows its name.

    >>> metric_title(Metric(name="avg_gold_coverage", field="gold_coverage"), "ru")
    'покрытие эталона'
    """
    if lang == "en" and metric.title:
        return f"{metric.title}, {metric.unit}" if metric.unit else metric.title
    return translation(lang).metric.get(metric.name) or metric.title or metric.name
