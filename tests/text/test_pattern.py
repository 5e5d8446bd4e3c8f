"""Patterns that are compiled when they are first used."""

import re

import pytest

from assay.text.lexicon import lazy_pattern


def test_a_pattern_is_written_when_it_is_first_used():
    """Creating a pattern reads no lexicon; using it twice writes the expression once."""
    calls: list[str] = []

    def source() -> str:
        calls.append("written")
        return "нет|не"

    pattern = lazy_pattern(source)
    assert calls == []
    assert pattern.search("Не дано") is not None
    assert pattern.pattern == "нет|не"
    assert pattern.sub("-", "нет и не") == "- и -"
    assert calls == ["written"]


def test_a_pattern_ignores_case_unless_told():
    """Flags are those of the re module."""
    assert lazy_pattern("no|не").match("NO") is not None
    assert lazy_pattern("no", re.NOFLAG).match("NO") is None


def test_a_pattern_has_no_other_attributes():
    """A misspelt method is an attribute error, as it is for a compiled expression."""
    with pytest.raises(AttributeError):
        _ = lazy_pattern("a").serch  # type: ignore[attr-defined]
