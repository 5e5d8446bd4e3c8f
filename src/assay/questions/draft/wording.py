"""What a language needs for drafts without a model: rules, words and sentences around questions.

Each language has a TOML file in this folder; the comment at the top of ``en.toml`` explains it.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from assay.questions.draft.draft import Kind
from assay.text.language import Language
from assay.text.normalise import Span

Form: TypeAlias = Literal["when", "what", "rewrite", "front", "end", "situ", "cloze"]
_REFERENCE: Final = re.compile(r"\{([a-z_]+)\}")
_PARTS: Final = ("cloze", "yes_no", "comparison", "joined", "unanswerable", "choice")
_NEVER: Final = re.compile(r"(?!)")


class Rule(Struct, frozen=True, kw_only=True):
    """How a question asks for one part of a sentence; ``en.toml`` explains the fields."""

    kind: Kind
    form: Form
    find: re.Pattern[str]
    ask: str = ""
    ask_name: str = ""
    not_after: re.Pattern[str]
    not_before: re.Pattern[str]
    is_event: bool = False
    is_person: bool = False
    is_definition: bool = False
    is_fronted: bool = False
    replaces_answer: bool = False
    is_strict: bool = False

    def slot(self, match: re.Match[str]) -> Span:
        """The part of the sentence that the question leaves out."""
        named = "answer" if self.replaces_answer else "slot"
        group = named if named in self.find.groupindex else 0
        return Span(start=match.start(group), end=match.end(group))

    def matches(self, sentence: str) -> list[re.Match[str]]:
        """Where the rule applies in a sentence."""
        return [
            match
            for match in self.find.finditer(sentence)
            if not self.not_after.search(sentence[: match.start()])
            and not self.not_before.search(sentence[match.end() :])
        ]


class Verbs(Struct, frozen=True, kw_only=True):
    """English verbs: the base of each past form, and the words that a question puts first."""

    past: dict[str, str]
    auxiliaries: frozenset[str]
    perfect: frozenset[str]
    participle: re.Pattern[str]
    not_in_subject: re.Pattern[str]


class Wording(Struct, frozen=True, kw_only=True):
    """The rules and the words of one language."""

    language: Language
    rules: tuple[Rule, ...]
    statement: dict[str, Any]
    lower: frozenset[str]
    common: re.Pattern[str]
    unclear: re.Pattern[str]
    given_names: frozenset[str]
    text: dict[str, Any]
    verbs: Verbs | None = None


@cache
def wording(language: Language) -> Wording:
    """The wording of a language, read once."""
    path = files("assay.questions.draft").joinpath("wordings", f"{language}.toml")
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    verbs = _verbs(content["inversion"]) if "inversion" in content else None
    words: dict[str, str] = {}
    if verbs is not None:
        words["past"] = f"(?:{'|'.join(sorted(verbs.past))})"
    for name, value in content["words"].items():
        words[name] = _expand(value, words)
    statement = {
        name: re.compile(_expand(value, words)) if isinstance(value, str) else value
        for name, value in content["statement"].items()
        if name != "name_tags"
    }
    statement["past"] = re.compile(_expand(content["unanswerable"]["past"], words))
    statement["happened"] = re.compile(_expand(content["comparison"]["happened"], words))
    statement["name_tags"] = frozenset(content["statement"].get("name_tags", "").split())
    case = content.get("case", {})
    return Wording(
        language=language,
        rules=tuple(_rule(rule, words) for rule in content["rule"]),
        statement=statement,
        lower=frozenset(case.get("lower", "").split()),
        common=re.compile(case.get("common", "(?!)")),
        unclear=re.compile(case.get("unclear", "")),
        given_names=frozenset(content["person"]["given"].split()),
        text={name: content[name] for name in _PARTS},
        verbs=verbs,
    )


def _expand(text: str, words: dict[str, str]) -> str:
    return _REFERENCE.sub(lambda match: words.get(match[1], match[0]), text)


def _rule(fields: dict[str, Any], words: dict[str, str]) -> Rule:
    patterns = {
        name: re.compile(_expand(fields[name], words)) if name in fields else _NEVER
        for name in ("find", "not_after", "not_before")
    }
    return Rule(**{**fields, **patterns})


def _verbs(content: dict[str, str]) -> Verbs:
    doubled = frozenset(content["doubled"].split())
    past = {_past(base, doubled): base for base in content["regular"].split()}
    for pair in content["irregular"].split():
        base, form = pair.split(":")
        past.pop(_past(base, doubled), None)
        past[form] = base
    return Verbs(
        past=past,
        auxiliaries=frozenset(content["auxiliary"].split()),
        perfect=frozenset(content["perfect"].split()),
        participle=re.compile(content["participle"]),
        not_in_subject=re.compile(content["not_in_subject"]),
    )


def _past(base: str, doubled: frozenset[str]) -> str:
    """The regular past form of an English verb.

    >>> [_past(base, frozenset({"stop"})) for base in ("move", "carry", "stop", "play")]
    ['moved', 'carried', 'stopped', 'played']
    """
    if base.endswith("e"):
        return f"{base}d"
    if base.endswith("y") and base[-2] not in "aeiou":
        return f"{base[:-1]}ied"
    return f"{base}{base[-1]}ed" if base in doubled else f"{base}ed"
