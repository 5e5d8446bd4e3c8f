"""The words that tables, charts and report pages show beside the data."""

from assay.records import Metric
from assay.words import Lang, translation


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


def metric_label(metric: Metric, lang: Lang = "en") -> str:
    """The title of a metric with its name for programs, for a chart or a single line.

    >>> metric_label(Metric(name="avg_gold_coverage", field="c", title="Recall@10"))
    'Recall@10 (avg_gold_coverage)'
    """
    title = metric_title(metric, lang)
    return title if title == metric.name else f"{title} ({metric.name})"
