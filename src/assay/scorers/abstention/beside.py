"""Statements before all refusals that answer because the refusals are about something else."""

from collections.abc import Sequence
from typing import Final

from assay.scorers.abstention import context
from assay.scorers.abstention.listing import is_list
from assay.scorers.abstention.question import Focus, content_words
from assay.scorers.abstention.sign import DETAIL
from assay.scorers.abstention.statement import Statement

_NAMED: Final = 2
"""A list that shares so many words with the question is about it."""


def is_before_other_matter(
    statement: Statement, all_statements: Sequence[Statement], asked: Focus
) -> bool:
    """Whether a plain statement is about the question, and no refusal after it is.

    "Water it once a week. There is no information on fertiliser."
    """
    refusals = [other for other in all_statements if other.refuses]
    if refusals[0].contrasts or asked.asks_reason:
        return False
    if not all(refusal.matter and not refusal.matter & asked.words for refusal in refusals):
        return False
    if statement.role != "plain" or statement.is_about_text:
        return False
    return statement.is_fragment or asked.is_touched_by(statement.text)


def is_listed_beside(
    statement: Statement, all_statements: Sequence[Statement], asked: Focus
) -> bool:
    """Whether a statement lists what is asked for, and the refusals are about something else."""
    if is_set_beside(statement, all_statements, asked):
        return True
    if not is_list(statement) or len(content_words(statement.full_text) & asked.words) < _NAMED:
        return False
    matters = [other.matter for other in all_statements if other.refuses]
    return all(matter and not matter & asked.words for matter in matters)


def is_quoted_value(statement: Statement, asked: Focus, missing: frozenset[str]) -> bool:
    """Whether a statement is a word of the question and a quotation: "Title: “Rivers”"."""
    label, colon, value = statement.form.partition(":")
    if colon and value.strip(" .,").startswith(context.QUOTED):
        return bool(content_words(label) & asked.words)
    if not asked.asks_two or context.QUOTED not in statement.form or statement.is_about_text:
        return False  # "“Rovers” played “Albion”. The score is not given."
    return bool((content_words(statement.form) & asked.words) - missing)


def is_labelled_value(statement: Statement, asked: Focus, missing: frozenset[str]) -> bool:
    """Whether a statement is a label and the value of one of several things that are asked for.

    "Version: 4.2.1", and the next line says that the date is not known.
    """
    label, colon, value = statement.form.partition(":")
    if not asked.asks_several or not colon or not any(map(str.isalnum, value)):
        return False
    return bool((content_words(label) & asked.words) - missing)


def is_set_beside(statement: Statement, all_statements: Sequence[Statement], asked: Focus) -> bool:
    """Whether ``statement`` is about the question, and all refusals after it about something else.

    "The capital is Lindau. I have no information about its population."
    """
    shared = asked.named_by(statement.full_text)
    if not shared:
        return _is_figure_first(statement, all_statements, asked)
    for refusal in all_statements:
        if refusal.refuses and not context.BEYOND.search(refusal.form):
            matter = refusal.matter
            if not matter - asked.words or not matter & asked.words < shared:
                return False
    return True


def _is_figure_first(
    statement: Statement, all_statements: Sequence[Statement], asked: Focus
) -> bool:
    """Whether an answer begins with the figure that is asked for, and lacks something else.

    "500 mg every 8 hours. There is not enough data on use in pregnancy."
    """
    if statement.is_about_text or not asked.has_figure(statement.full_text):
        return False
    if any(other.role != "support" for other in all_statements[: all_statements.index(statement)]):
        return False
    matters = [other.matter for other in all_statements if other.refuses]
    if statement.is_fragment or not content_words(statement.text) & asked.words:
        return all(matter - asked.words and asked.words - matter for matter in matters)
    return all(matter and not matter & asked.words for matter in matters)


def is_one_of_two(part: str, refusal: Statement, asked: Focus) -> bool:
    """Whether two things are asked for, and ``part`` tells the one that is not missing.

    "The landlord is Ms Okoro, the rent has been left blank."
    """
    if not asked.asks_two or context.DOCUMENT.search(part.lower()):
        return False
    about, absent = content_words(part), asked.meant_by(refusal.refusing_parts)
    if len(asked.kinds) > 1 and refusal.text.startswith(part) and about - asked.words:
        # "The signature is Dr Moss's, the date is hidden by the stamp, illegible"
        return DETAIL.search(refusal.form[len(part) :]) is not None and not DETAIL.search(part)
    # A short Chinese verb and the name after it may be read as one word.
    named = {word for word in asked.words if word in about or part.lower().startswith(word)}
    return bool(absent and about - asked.words and named - absent)


def takes_back(following: Sequence[Statement]) -> bool:
    """Whether the last of the statements after a refusal tells what one of them takes it back for.

    "I don't know. Just kidding, it's 500."
    """
    if not any(context.RETRACTION.match(statement.form) for statement in following):
        return False
    last = following[-1]
    told = context.RETRACTION.sub(" ", last.form)
    if last.is_about_text or not any(map(str.isalnum, told)):
        return False
    return bool(content_words(told)) or context.FIGURE.search(told) is not None
