"""The tree in the docstring matches the error classes."""

import inspect
import re

from assay import errors
from assay.errors import (
    AssayError,
    CaseError,
    CaseSkipped,
    Interrupted,
    RateLimited,
    TransientError,
)
from assay.runs.survey import KIND
from tests.support.path import ROOT

TREE_LINE = re.compile(r"^    (?P<indent>[│├└─ ]*)(?P<name>\w+) {2,}(?P<remark>.+)$")


def documented_tree() -> dict[str, tuple[str | None, str]]:
    """Each class of the tree in the docstring, with its parent and its remark."""
    tree: dict[str, tuple[str | None, str]] = {}
    above: dict[int, str] = {}
    for line in (errors.__doc__ or "").splitlines():
        parts = TREE_LINE.match(line)
        if parts:
            depth = len(parts["indent"]) // 4
            tree[parts["name"]] = (above.get(depth - 1), parts["remark"])
            above[depth] = parts["name"]
    return tree


def error_classes() -> dict[str, type[Exception]]:
    """Every exception class that the module defines, by name."""
    return {
        name: value
        for name, value in vars(errors).items()
        if inspect.isclass(value)
        and issubclass(value, Exception)
        and value.__module__ == errors.__name__
    }


def test_the_drawn_tree_is_the_tree():
    """The tree in the module docstring has the names and the nesting of the classes."""
    parents = {name: parent for name, (parent, _) in documented_tree().items()}
    actual = {
        name: None if error_class is AssayError else error_class.__bases__[0].__name__
        for name, error_class in error_classes().items()
        if error_class is not CaseSkipped
    }
    assert parents == actual


def test_every_kind_of_failure_is_in_the_docs():
    """docs/files.md has a row for each ``error_kind`` that a row of a journal can have."""
    page = (ROOT / "docs" / "files.md").read_text(encoding="utf-8")
    table = page.partition("| `error_kind` | what it means")[2].partition("\n\n")[0]
    kinds = {
        error_class.kind
        for error_class in error_classes().values()
        if issubclass(error_class, CaseError)
    }
    assert set(re.findall(r"^\| `(\w+)`", table, re.MULTILINE)) == {*kinds, KIND, "journal"}


def test_the_drawn_exit_codes_are_the_exit_codes():
    """If the tree gives an exit code for a class, the class and its subclasses have that code."""
    tree = documented_tree()
    for name, error_class in error_classes().items():
        ancestor: str | None = name
        while ancestor in tree:
            exit_code = re.match(r"exit (\d+)", tree[ancestor][1])
            if exit_code:
                assert error_class.exit_code == int(exit_code[1]), name
                break
            ancestor = tree[ancestor][0]
    with_code = [name for name, (_, remark) in tree.items() if remark.startswith("exit ")]
    assert {"UseError", "AccessRefused", "CeilingReached", "Interrupted"} <= set(with_code)


def test_every_error_says_what_it_is():
    """Each class has its own docstring, and ``str(error)`` is exactly the message."""
    for name, error_class in error_classes().items():
        assert error_class.__doc__, name
        assert error_class.__doc__ != (error_class.__bases__[0].__doc__), name
        assert str(error_class("what to do")) == "what to do"


def test_a_skipped_case_is_no_error_of_ours():
    """Code that catches ``AssayError`` does not catch a skipped case by accident."""
    assert not issubclass(CaseSkipped, AssayError)


def test_each_kind_of_failure_has_its_own_word():
    """The short word in the row is different for each kind of failure."""
    kinds = {
        error_class.kind
        for error_class in error_classes().values()
        if issubclass(error_class, CaseError)
    }
    assert kinds == {"error", "timeout", "unavailable", "rate_limited", "filtered", "system"}


def test_errors_carry_what_the_runner_needs():
    """Errors carry the requested waiting time, whether retries were made, and the exit code."""
    limited = RateLimited("slow", retry_after_s=2.5, retried=True)
    assert (limited.retry_after_s, limited.retried) == (2.5, True)
    assert RateLimited("slow").retry_after_s is None
    assert TransientError("x").retried is False
    assert Interrupted("x").exit_code == 130
    assert Interrupted("x", exit_code=143).exit_code == 143
