"""How tables, charts and reports name a metric."""

from functools import lru_cache

from assay.records import Metric
from assay.words.language import LANGUAGES, Lang
from assay.words.message import Title
from assay.words.say import say_in


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
    unit = say_in(lang, metric.unit, "unit")
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
