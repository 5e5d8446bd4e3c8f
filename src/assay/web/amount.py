"""Numbers as texts: values and differences of metrics."""

from typing import Final

from assay.records import Metric
from assay.report.words import Lang, page_word, value_word

MISSING: Final = "–"
_MONEY: Final = frozenset(
    {"USD", "EUR", "CNY", "RMB", "RUB", "GBP", "JPY", "$", "€", "¥", "￥", "₽", "£"}
)


def shown_amount(difference: float, metric: Metric, lang: Lang) -> str:
    """A difference with its sign: in points if the metric is a share, otherwise in its unit.

    >>> shown_amount(-0.136, Metric(name="r", field="r"), "en")
    '−13.6 points'
    """
    number = f"{difference:+.3f}" if metric.unit else f"{100 * difference:+.1f}"
    number = number[1:] if float(number) == 0 else number.replace("-", "−")
    if metric.unit:
        return f"{number} {value_word('unit', metric.unit, lang)}"
    return page_word("points", lang).format(n=number)


def shown_value(value: float | None) -> str:
    """A value with three digits; yes and no as 1 and 0.

    >>> shown_value(1.0), shown_value(0.12345), shown_value(None)
    ('1', '0.123', '–')
    """
    if value is None:
        return MISSING
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.3f}" if abs(value) < 100 else f"{value:.1f}"


def metric_kind(metric: Metric) -> str:
    """How the values of a metric are shown: rate, share, time, money or number."""
    if metric.unit in {"s", "ms"}:
        return "time"
    if metric.unit in _MONEY:
        return "money"
    if metric.unit:
        return "number"
    return "rate" if metric.kind == "rate" else "share"
