"""The language of what is shown, and who decides it."""

import pytest

from assay.errors import UseError
from assay.words.language import chosen_language, language, speaking, use_language


@pytest.mark.parametrize(
    ("words", "environment", "lang"),
    [
        ([], {}, "en"),
        ([], {"LANG": "ru_RU.UTF-8"}, "ru"),
        ([], {"LANG": "C.UTF-8", "LANGUAGE": "zh"}, "en"),
        ([], {"LANG": "de_DE.UTF-8", "LANGUAGE": "ru:zh"}, "ru"),
        ([], {"LANG": "de_DE.UTF-8"}, "en"),
        ([], {"LANG": "ru_RU.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh"),
        ([], {"LC_ALL": "C", "LANG": "ru_RU.UTF-8"}, "en"),
        ([], {"ASSAY_LANG": "en", "LANG": "ru_RU.UTF-8"}, "en"),
        (["list", "--lang=zh"], {"ASSAY_LANG": "ru"}, "zh"),
        (["--lang", "ru", "list"], {"LANG": "zh_CN.UTF-8"}, "ru"),
        (["list", "--json"], {"LANG": "zh_CN.UTF-8"}, "en"),
        (["report", "hyde", "--format", "json"], {"LANG": "zh_CN.UTF-8"}, "en"),
        (["report", "hyde", "--format", "latex"], {"LANG": "zh_CN.UTF-8"}, "zh"),
        (["list", "--json", "--lang", "ru"], {}, "ru"),
        (["list", "--lang", "fr"], {}, "en"),
    ],
)
def test_the_option_goes_before_the_variable_and_the_locale(
    words: list[str], environment: dict[str, str], lang: str
):
    """The nearest wish counts; what programs read is English unless the option says otherwise."""
    assert chosen_language(words, environment) == lang


def test_a_terminal_that_cannot_show_the_letters_gets_english():
    """A question mark in place of each letter would help nobody."""
    assert chosen_language([], {"LANG": "zh_CN.UTF-8"}, "latin-1") == "en"
    assert chosen_language([], {"LANG": "ru_RU.KOI8-R"}, "koi8-r") == "ru"


def test_a_wrong_variable_is_refused():
    """A variable that nobody else sets is not ignored silently."""
    with pytest.raises(UseError, match="ASSAY_LANG=fr: not one of en, zh, ru"):
        chosen_language([], {"ASSAY_LANG": "fr"})


def test_a_block_can_speak_another_language():
    """The language of a block ends with it."""
    use_language("ru")
    with speaking("zh"):
        assert language() == "zh"
    assert language() == "ru"
