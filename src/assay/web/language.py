"""Texts in all three languages at once."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from assay.records import Metric
from assay.report.words import Lang, metric_label, metric_title, page_word, value_word
from assay.web.text_api import Text

LANGUAGES: Final[tuple[Lang, ...]] = ("en", "zh", "ru")


def in_all(make: Callable[[Lang], str]) -> Text:
    """The text that ``make`` writes in each language."""
    return Text(en=make("en"), zh=make("zh"), ru=make("ru"))


def same(text: str) -> Text:
    """A text that is the same in all languages: a name, or what a file says."""
    return Text(en=text, zh=text, ru=text)


def page_text(key: str, **fields: object) -> Text:
    """A text of the page, with its fields filled in.

    >>> page_text("chart cost").en
    'Cost'
    """
    return in_all(lambda lang: page_word(key, lang).format(**fields))


@lru_cache(maxsize=1024)
def title_text(metric: Metric) -> Text:
    """The title of a metric with its unit."""
    return in_all(lambda lang: metric_title(metric, lang))


def named_metric(metric: Metric) -> Text:
    """The title of a metric, and its name as the command takes it."""
    return in_all(lambda lang: metric_label(metric, lang))


def undefined_text(metric: Metric) -> Text | None:
    """For which answers a metric has no value; ``None`` if it always has one."""
    if not metric.undefined:
        return None
    return in_all(lambda lang: value_word("undefined", metric.undefined, lang))
