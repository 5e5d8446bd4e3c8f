"""The language of what is shown. It is decided once, when a command starts."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Final, Literal, TypeAlias, get_args

from assay.errors import UseError

Lang: TypeAlias = Literal["en", "zh", "ru"]
LANGUAGES: Final[tuple[Lang, ...]] = get_args(Lang)
VARIABLE: Final = "ASSAY_LANG"
_LOCALE: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
_PROGRAM_FORMATS: Final = {"--json", "--format=json", "--format=csv", "--format=junit"}
_in_use: list[Lang] = ["en"]


def language() -> Lang:
    """The language in use; English unless a command has chosen another."""
    return _in_use[-1]


def use_language(lang: Lang) -> None:
    """Show everything in this language from now on."""
    _in_use[-1] = lang


@contextmanager
def speaking(lang: Lang) -> Iterator[None]:
    """Show everything in this language inside the block."""
    _in_use.append(lang)
    try:
        yield
    finally:
        _in_use.pop()


def chosen_language(
    words: Sequence[str], environment: Mapping[str, str], encoding: str = "utf-8"
) -> Lang:
    """The language that a command line and the environment ask for.

    The option ``--lang`` goes before ``ASSAY_LANG``, which goes before the locale. English is used
    for any other locale, for what programs read, and if the output cannot show the letters of the
    language. A wrong value of the option is left to the parser of the command line.

    >>> chosen_language(["list"], {"LANG": "zh_CN.UTF-8"})
    'zh'
    >>> chosen_language(["list", "--lang", "ru"], {"LANG": "zh_CN.UTF-8"})
    'ru'
    >>> chosen_language(["list"], {"LANG": "zh_CN.UTF-8", "LANGUAGE": "en_US:zh"})
    'en'
    """
    lang = _option(words) or _for_programs(words) or _variable(environment) or _locale(environment)
    return lang if _can_show(lang, encoding) else "en"


def _for_programs(words: Sequence[str]) -> Lang | None:
    """English if the words ask for a format that a program reads."""
    asked = {f"{word}={value}" for word, value in pairwise(words)}
    return "en" if _PROGRAM_FORMATS & {*asked, *words} else None


def _option(words: Sequence[str]) -> Lang | None:
    """The value of the last ``--lang``, if it is a language."""
    given = [value for word, value in pairwise(words) if word == "--lang"]
    given += [word.removeprefix("--lang=") for word in words if word.startswith("--lang=")]
    return _known(given[-1]) if given else None


def _variable(environment: Mapping[str, str]) -> Lang | None:
    value = environment.get(VARIABLE, "")
    lang = _known(value)
    if value and lang is None:
        raise UseError(f"{VARIABLE}={value}: not one of {', '.join(LANGUAGES)}")
    return lang


def _locale(environment: Mapping[str, str]) -> Lang:
    """The language of the locale. ``LANGUAGE`` lists those that a person reads, the best first."""
    locale = next((environment[name] for name in _LOCALE if environment.get(name)), "")
    if locale.partition(".")[0] in {"", "C", "POSIX"}:
        return "en"
    for name in (*environment.get("LANGUAGE", "").split(":"), locale):
        lang = _known(name[:2])
        if lang is not None:
            return lang
    return "en"


def _known(name: str) -> Lang | None:
    return next((lang for lang in LANGUAGES if lang == name), None)


def _can_show(lang: Lang, encoding: str) -> bool:
    letters = {"en": "", "zh": "中文", "ru": "Ё"}[lang]
    try:
        letters.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
