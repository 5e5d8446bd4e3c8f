"""Capitalised words that are not names: titles, months, and words that begin a sentence."""

from typing import Final

_TITLES_WORDS: Final = (
    "mr mrs ms miss dr prof sir mx rev judge justice constable sergeant officer captain inspector detective"
    " господин господина госпожа гражданин гражданка судья адвокат директор капитан следователь"
    " товарищ свидетель учредитель арендодатель арендатор истец ответчик"
)
TITLES: Final = frozenset(_TITLES_WORDS.split())
"""Words before a name that are not part of the name, in lower case."""
_NOT_NAMES_WORDS: Final = (
    "i i'm i'd i've i'll ok tv vat id no yes am pm uk us eu january february march april may june july august september"
    " october november december monday tuesday wednesday thursday"
    " friday saturday sunday gbp usd eur cny rub clause section article schedule annex appendix page paragraph"
    " english russian chinese"
    " ооо оао зао пао ао ип рф инн огрн января февраля марта апреля мая июня июля августа сентября октября ноября"
    " декабря пункт статья раздел приложение страница"
)
NOT_NAMES: Final = frozenset(_NOT_NAMES_WORDS.split())
"""Words that are written with a capital letter but are not names, in lower case."""
_STARTERS_WORDS: Final = (
    "the a an this that these those it he she they we you his her its their my our in on at by from to of for with as"
    " if when while although though but and or so yet nor not neither either both all any some no one two three four"
    " five six seven eight nine ten after before during under over according based since because there here where who"
    " what which how why perhaps maybe then thus hence also only even just still please sorry yes per about between"
    " most more at around near another each every"
    " в на по с со у к ко о об от до из за для при про без через между и а но или если когда хотя это этот эта эти тот"
    " та те он она оно они мы вы я его ее их мой наш ваш кто что где как почему также только даже еще уже да нет не ни"
    " вероятно возможно скорее видимо однако поэтому значит согласно судя около примерно"
)
STARTERS: Final = frozenset(_STARTERS_WORDS.split())
"""Words that often begin a sentence and are not names, in lower case; a name may follow them."""


def is_starter(word: str) -> bool:
    """Whether a word at the start of a sentence is one of ``STARTERS`` or an adverb in -ly.

    >>> is_starter("Unfortunately"), is_starter("Marcus")
    (True, False)
    """
    folded = word.lower().replace("ё", "е")
    return folded in STARTERS or (folded.isascii() and folded.endswith("ly"))
