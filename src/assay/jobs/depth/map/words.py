"""The words of heatmaps, and numbers as heatmaps show them in each language."""

from assay.words.language import Lang
from assay.words.plural import Count
from assay.words.translation import translation


def heat_word(key: str, lang: Lang, **fields: "str | NotedCount") -> str:
    """Returns a word or a sentence of a heatmap with its ``{name}`` fields filled.

    >>> heat_word("no data", "zh"), heat_word("tokens", "en", n="4,000")
    ('无数据', '4,000 tokens')
    """
    return translation(lang).heatmap[key].format(**fields)


class NotedCount:
    """A number in a note: it is shown like ``shown_count``, and chooses the form of a noun.

    >>> "{n} {n:row|rows}".format(n=NotedCount(1, "en"))
    '1 row'
    """

    def __init__(self, number: int, lang: Lang) -> None:
        self._number = Count(number)
        self._text = shown_count(number, lang)

    def __format__(self, spec: str) -> str:
        return format(self._number, spec) if spec else self._text


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
