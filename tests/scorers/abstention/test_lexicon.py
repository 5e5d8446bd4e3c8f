"""The lexicon files: what a colleague who adds a phrase may rely on."""

import re

import msgspec
import pytest

from assay.scorers.abstention import context, phrase, phrases
from assay.scorers.abstention.lexicon import LETTERS, lexicon
from assay.scorers.abstention.lexicon.read import parse_lexicon
from assay.scorers.abstention.pattern import Pattern
from assay.scorers.legal import boolean_answer, stance

SMALL = """
words.noun = ["text", "page"]
abstention.phrases = ['{noun} is silent']
context.guess = ["perhaps"]
"""


def expressions(section: msgspec.Struct) -> list[str]:
    """Every expression of a section of a lexicon."""
    values = msgspec.structs.asdict(section).values()
    return [expression for value in values for expression in value]


@pytest.mark.parametrize("language", LETTERS)
def test_every_expression_of_a_lexicon_compiles_by_itself(language: str):
    """An entry with a mistake fails here, and not somewhere in a joined expression."""
    entries = lexicon(language)
    for source in (*expressions(entries.abstention), *expressions(entries.context)):
        assert source
        assert re.compile(source, re.IGNORECASE).search("") is None, source
        assert not re.search(r"\{[a-z_]", source), source


@pytest.mark.parametrize("language", LETTERS)
def test_every_word_of_a_lexicon_is_used(language: str):
    """A word list that no expression uses would mislead whoever adds a word to it."""
    entries = lexicon(language)
    used = "\n".join((*expressions(entries.abstention), *expressions(entries.context)))
    predefined = {"letter"}
    assert [
        name for name, word in entries.words.items() if name not in predefined and word not in used
    ] == []


def test_traditional_characters_have_one_simplified_character_each():
    """The two rows of characters are equally long and no traditional character is repeated."""
    rows = lexicon("zh").traditional
    assert len(rows.traditional) == len(rows.simplified) == len(set(rows.traditional)) > 0


def test_a_new_phrase_needs_no_code():
    """An entry may use a word list of its file; braces with digits stay quantifiers."""
    text = SMALL.replace("silent'", "silent[^,]{0,9}'")
    assert parse_lexicon(text, "a-z").abstention.phrases == ("(?:text|page) is silent[^,]{0,9}",)


def test_an_undefined_name_is_refused():
    """The message shows the misspelt name and the entry that uses it."""
    text = SMALL.replace("{noun}", "{nuon}")
    with pytest.raises(LookupError, match=r"\{nuon\} is not defined .* '\{nuon\} is silent'"):
        parse_lexicon(text, "a-z")


def test_an_unknown_key_is_refused():
    """A misspelt section key is an error; it would be ignored silently otherwise."""
    text = SMALL.replace("context.guess", "context.gues")
    with pytest.raises(msgspec.ValidationError, match="gues"):
        parse_lexicon(text, "a-z")


def test_every_pattern_of_the_scorers_compiles():
    """Patterns are compiled when they are first used, so this test compiles each of them."""
    modules = (context, phrase, boolean_answer, stance)
    values = [value for module in modules for value in vars(module).values()]
    patterns = [value for value in values if isinstance(value, Pattern)]
    assert len(patterns) > 30
    assert all(pattern.compiled.pattern == pattern.source for pattern in patterns)


def test_phrases_of_each_language_are_found_in_order():
    """An answer in several languages is searched for the phrases of each."""
    matches = phrases("文档未提及 and is not stated, не указано")
    assert [match.group() for match in matches] == ["文档未提及", "is not stated", "не указано"]
