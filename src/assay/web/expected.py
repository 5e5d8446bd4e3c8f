"""What was expected of an answer, as facts in words: for the rows of all jobs."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from assay.report.words import Lang, page_word, value_word
from assay.web.language import in_all, page_text, same
from assay.web.text_api import Text

LONGEST: Final = 4_000
DEEPEST: Final = 6
Fact = tuple[Text, str | Text]
_HIDDEN: Final = frozenset({"id", "question", "type", "metadata"})


def expected_facts(row: Mapping[str, Any]) -> Iterator[Fact]:
    """What the row says about the right answer."""
    if row.get("answerable") is False:
        yield page_text("expected"), page_text("expected abstention")
    if "correct_answer" in row:
        yield from _choice(row)
    for name in ("expected", "ground_truth", "gold"):
        fields = row.get(name)
        if isinstance(fields, Mapping):
            yield from _fields(fields)


def _choice(row: Mapping[str, Any]) -> Iterator[Fact]:
    """The choices and the place of the evidence of a depth test."""
    right = row["correct_answer"]
    listed = right if isinstance(right, list) else [right]
    yield page_text("right answer"), ", ".join(map(str, listed))
    choices = row.get("choice")
    if isinstance(choices, Mapping):
        for letter, text in choices.items():
            yield same(str(letter)), str(text)[:LONGEST]
    for name, field in (("depth", "depth_bin"), ("context length", "test_context_length")):
        if row.get(field) is not None:
            yield page_text(name), str(row[field])


def _fields(fields: Mapping[str, Any]) -> Iterator[Fact]:
    """The fields of a question file that are not empty, each with its name in words."""
    for name, value in fields.items():
        if name in _HIDDEN or value in (None, [], {}, ""):
            continue
        if isinstance(value, Mapping) and name == "expected":
            yield from _fields(value)
        else:
            label = in_all(lambda lang, name=name: field_label(name, lang))  # type: ignore[misc]
            yield label, _value(name, value)


def field_label(name: str, lang: Lang) -> str:
    """The name of a field in words; an unknown one without its underscores.

    >>> field_label("must_include", "en"), field_label("my_field", "ru")
    ('must contain', 'my field')
    """
    word = value_word("field", str(name), lang)
    return word if word != name else str(name).replace("_", " ")


def _value(name: str, value: Any) -> str | Text:
    shown = in_all(lambda lang: _shown(value, lang, name)[:LONGEST])
    return shown.en if shown.en == shown.zh == shown.ru else shown


def _shown(value: Any, lang: Lang, name: str = "", depth: int = 0) -> str:
    """A value of a question file in words."""
    if isinstance(value, bool):
        return page_word("yes" if value else "no", lang)
    if isinstance(value, Mapping) and depth < DEEPEST:
        return _object(value, lang, depth)
    if isinstance(value, list | tuple) and depth < DEEPEST:
        parts = [_shown(each, lang, name, depth + 1) for each in value]
        if any(isinstance(each, Mapping) for each in value):
            return "\n".join(parts)
        return (" / " if depth else " · ").join(parts)  # an inner list has alternatives
    if isinstance(value, str):
        return value_word("field value", value, lang) if name not in _FREE else value
    return str(value)


_FREE: Final = frozenset({"text_answer", "must_include", "must_not_include", "required_quote"})
"""Fields whose values are texts of documents, never words of ours."""


def _object(fields: Mapping[str, Any], lang: Lang, depth: int) -> str:
    if set(fields) == {"start", "end"}:
        return f"{fields['start']} – {fields['end']}"
    if isinstance(fields.get("must_include"), str):
        return _evidence(fields, lang)
    shown = (
        f"{field_label(name, lang)}: {_shown(value, lang, name, depth + 1)}"
        for name, value in fields.items()
        if value not in (None, [], {}, "")
    )
    return "; ".join(shown)


def _evidence(fields: Mapping[str, Any], lang: Lang) -> str:
    """Words that must be found, where, and whether everything depends on them."""
    where = [
        f"{field_label(name, lang)} {fields[name]}"
        for name in ("page", "section", "speaker")
        if fields.get(name) not in (None, "")
    ]
    if fields.get("is_critical"):
        where.append(field_label("is_critical", lang))
    return f"“{fields['must_include']}”" + (f" ({', '.join(where)})" if where else "")
