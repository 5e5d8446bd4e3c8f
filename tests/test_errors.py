"""The error tree as drawn is the error tree there is; packages export what they say."""

import importlib
import inspect
import pkgutil
import re
from types import ModuleType

import pytest

import assay
from assay import errors
from assay.errors import (
    AssayError,
    CaseError,
    CaseSkipped,
    Interrupted,
    RateLimited,
    TransientError,
)

TREE_LINE = re.compile(r"^    (?P<indent>[│├└─ ]*)(?P<name>\w+) {2,}(?P<said>.+)$")


def drawn() -> dict[str, tuple[str | None, str]]:
    """Each class of the docstring's tree with the one above it and what is said of it."""
    tree: dict[str, tuple[str | None, str]] = {}
    above: dict[int, str] = {}
    for line in (errors.__doc__ or "").splitlines():
        found = TREE_LINE.match(line)
        if found:
            depth = len(found["indent"]) // 4
            tree[found["name"]] = (above.get(depth - 1), found["said"])
            above[depth] = found["name"]
    return tree


def defined() -> dict[str, type[Exception]]:
    """Every exception class of the module."""
    return {
        name: value
        for name, value in vars(errors).items()
        if inspect.isclass(value)
        and issubclass(value, Exception)
        and value.__module__ == errors.__name__
    }


def test_the_drawn_tree_is_the_tree():
    """Names and nesting of the module's docstring are those of the classes."""
    parents = {name: parent for name, (parent, _) in drawn().items()}
    actual = {
        name: None if one is AssayError else one.__bases__[0].__name__
        for name, one in defined().items()
        if one is not CaseSkipped
    }
    assert parents == actual


def test_the_drawn_exit_codes_are_the_exit_codes():
    """Where the tree names an exit code, the class and those below it have it."""
    tree = drawn()
    for name, one in defined().items():
        at: str | None = name
        while at in tree:
            said = re.match(r"exit (\d+)", tree[at][1])
            if said:
                assert one.exit_code == int(said[1]), name
                break
            at = tree[at][0]
    named = [name for name, (_, said) in tree.items() if said.startswith("exit ")]
    assert {"UseError", "AccessRefused", "CeilingReached", "Interrupted"} <= set(named)


@pytest.mark.parametrize("name", sorted(defined()))
def test_every_error_says_what_it_is(name: str):
    """Each class has a docstring of its own, and its text is the message alone."""
    one = defined()[name]
    assert one.__doc__
    assert one.__doc__ != (one.__bases__[0].__doc__)
    assert str(one("what to do")) == "what to do"


def test_a_skipped_case_is_no_error_of_ours():
    """Whoever catches errors does not catch a skip by accident."""
    assert not issubclass(CaseSkipped, AssayError)


def test_kinds_of_failure_are_told_apart():
    """The short word in a row is different for each kind of failure."""
    kinds = {one.kind for one in defined().values() if issubclass(one, CaseError)}
    assert kinds == {"error", "timeout", "unavailable", "rate_limited", "system"}


def test_errors_carry_what_the_runner_needs():
    """Patience asked for, tries already made, and the code of the signal."""
    limited = RateLimited("slow", retry_after_s=2.5, retried=True)
    assert (limited.retry_after_s, limited.retried) == (2.5, True)
    assert RateLimited("slow").retry_after_s is None
    assert TransientError("x").retried is False
    assert Interrupted("x").exit_code == 130
    assert Interrupted("x", exit_code=143).exit_code == 143


def packages() -> list[str]:
    """Every package below ``assay``."""
    found = pkgutil.walk_packages(assay.__path__, "assay.")
    return ["assay", *(one.name for one in found if one.ispkg)]


@pytest.mark.parametrize("name", packages())
def test_a_package_exports_its_public_names_and_no_others(name: str):
    """``__all__`` equals the public names that are no modules."""
    package = importlib.import_module(name)
    public = {
        one
        for one, value in vars(package).items()
        if not one.startswith("_") and not isinstance(value, ModuleType)
    }
    exported = getattr(package, "__all__", [])
    assert set(exported) == public
    assert package.__doc__
