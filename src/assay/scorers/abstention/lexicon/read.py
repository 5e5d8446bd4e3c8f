"""Read the lexicon of a language.

Each language has a TOML file in this folder; the comment at its top explains the format. A
lexicon consists of regular expressions over normalised text (``е`` for ``ё``, one character
width, one kind of quotation mark). They never contain an unbounded gap and rarely a gap that
crosses a comma, so matching stays linear in practice.

The file is read when its language is first used, and only once.
"""

import re
import tomllib
from functools import cache
from pkgutil import get_data
from typing import Any, Final

from msgspec import Struct, convert

from assay.text import CYRILLIC, HAN

LETTERS: Final = {"en": "a-zA-Z", "ru": CYRILLIC, "zh": HAN}
"""The languages in the order in which their expressions are joined, each with its letters."""

_REFERENCE: Final = re.compile(r"\{([a-z_]+)\}")


class _Section(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of a lexicon file. A key that the code does not know is an error."""


class AbstentionSection(_Section, frozen=True, kw_only=True):
    """Phrases that say that the text, the speaker or everybody lacks the answer.

    The subject must be the text, nobody in particular or the speaker: "the buyer did not say"
    does not abstain. "The text has no …" abstains only if a detail follows for which somebody
    may ask (a name, a rate, a date): a contract without a refund clause answers the question.
    """

    phrases: tuple[str, ...]
    phrases_across_commas: tuple[str, ...] = ()


class ContextSection(_Section, frozen=True, kw_only=True):
    """Expressions that decide what the words around a phrase mean.

    ``assay.scorers.abstention.context`` describes each of them. A language may leave a key out.
    """

    condition_before: tuple[str, ...] = ()
    condition_at_start: tuple[str, ...] = ()
    relative_before: tuple[str, ...] = ()
    attribute_after: tuple[str, ...] = ()
    party_before: tuple[str, ...] = ()
    statement_break: tuple[str, ...] = ()
    conclusion_at_end: tuple[str, ...] = ()
    concession_at_start: tuple[str, ...] = ()
    cause_at_start: tuple[str, ...] = ()
    lead_in_at_start: tuple[str, ...] = ()
    question: tuple[str, ...] = ()
    assertion: tuple[str, ...] = ()
    guess: tuple[str, ...] = ()
    value_verb: tuple[str, ...] = ()
    value_qualifier_word: tuple[str, ...] = ()
    value_qualifier_character: tuple[str, ...] = ()
    figure: tuple[str, ...] = ()
    amount_at_end: tuple[str, ...] = ()
    support: tuple[str, ...] = ()
    speaker: tuple[str, ...] = ()
    limit: tuple[str, ...] = ()


class TraditionalSection(_Section, frozen=True, kw_only=True):
    """Traditional Chinese characters, and the simplified character for each, in equal order."""

    traditional: str = ""
    simplified: str = ""


class Lexicon(_Section, frozen=True, kw_only=True):
    """The expressions of one language; ``words`` are the parts of which the others consist."""

    words: dict[str, str]
    abstention: AbstentionSection
    context: ContextSection
    traditional: TraditionalSection = TraditionalSection()


@cache
def lexicon(language: str) -> Lexicon:
    r"""The lexicon of ``language``, which is a key of ``LETTERS``.

    >>> lexicon("ru").context.condition_at_start
    ('^\\W*когда\\b',)
    """
    # importlib.resources would do the same, but takes 15 ms longer to import and start.
    content = get_data(__package__, f"{language}.toml")
    assert content is not None
    return parse_lexicon(content.decode(), LETTERS[language])


def parse_lexicon(text: str, letters: str) -> Lexicon:
    r"""The lexicon in the text of a TOML file, with every ``{name}`` replaced by its expression.

    ``{letter}`` is predefined as one of ``letters``, which are the inside of a character class.

    Raises:
        LookupError: an entry uses a name that is not defined before it.
        msgspec.ValidationError: a key is unknown or missing, or a value has the wrong type.

    >>> text = r'''
    ... words.noun = ["text", "page"]
    ... words.the_text = 'the {noun}\b'
    ... abstention.phrases = ['{the_text} [^,]{0,9}?is silent']
    ... context = {}
    ... '''
    >>> parse_lexicon(text, "a-z").abstention.phrases
    ('the (?:text|page)\\b [^,]{0,9}?is silent',)
    """
    content = tomllib.loads(text)
    words = {"letter": f"[{letters}]"}
    for name, entry in content.pop("words", {}).items():
        expression = f"(?:{'|'.join(entry)})" if isinstance(entry, list) else entry
        words[name] = _expand(expression, words)
    return convert({"words": words, **_expand(content, words)}, Lexicon)


def _expand(value: Any, words: dict[str, str]) -> Any:
    """``value`` with the references replaced in every string that it contains."""
    if isinstance(value, dict):
        return {key: _expand(item, words) for key, item in value.items()}
    if isinstance(value, list):
        return [_expand(item, words) for item in value]
    if not isinstance(value, str):
        return value
    try:
        return _REFERENCE.sub(lambda match: words[match[1]], value)
    except KeyError as error:
        message = f"{{{error.args[0]}}} is not defined in [words] before it is used in {value!r}"
        raise LookupError(message) from None
