"""What the words around a phrase of abstention mean: whether it abstains, and what is a claim.

Most expressions come from the lexicon of each language (``assay.text.lexicon``);
those that consist of digits and punctuation are written here.
"""

import re
from functools import cache
from typing import Final

from assay.text import HAN
from assay.text.lexicon import ScriptPattern, alternatives, entry, lazy_pattern

CONDITION: Final = ScriptPattern("context.condition_before")
"""Before the phrase: it belongs to a rule for what is left open, so it does not abstain."""
CONDITION_START: Final = ScriptPattern("context.condition_at_start")
"""The same at the start of a clause that a main clause follows."""
RELATIVE: Final = ScriptPattern("context.relative_before")
"""Directly before the phrase: it describes a thing or a person."""
RELATIVE_INSIDE: Final = ScriptPattern("context.relative_inside")
"""Up to the end of the phrase: the same, with the subject of the phrase between."""
ATTRIBUTE: Final = ScriptPattern("context.attribute_after")
"""Directly after a phrase: it is part of something else ("those that do not say so, …")."""
PARTY: Final = ScriptPattern("context.party_before")
"""Directly before a Chinese phrase: a person was silent, not the text."""
PERSON_SUBJECT: Final = ScriptPattern("context.person_subject")
"""At the start of a statement: a person did not tell or know, not the text."""
UNKNOWN_FACT: Final = ScriptPattern("context.unknown_fact")
"""In a refusal: the world does not know; what follows it may answer all the same."""
EXACT: Final = ScriptPattern("context.exact")
"""In a refusal: only an exact value is missing."""
FOUND: Final = ScriptPattern("context.found")
"""In a refusal: denies that something was found."""
DOCUMENT: Final = ScriptPattern("words.document")
"""A word for the text that the answer is about."""
SOURCE: Final = ScriptPattern("words.source")
"""A word for a text that was given or searched."""

BREAK: Final = ScriptPattern(
    "context.statement_break",
    # A point after a short word may belong to an abbreviation; assay.text.sentences knows those.
    # Each branch begins with its mark: looking behind at every character is several times slower.
    rf"[;。!?][;。!?]*|\.(?:(?<=[^\W\d_]{{4}}\.)(?=\s|$)|(?<!\d\.)(?=\s?[{HAN}])|(?<=[{HAN}]\.))",
)
"""Where one statement ends and another begins within a sentence."""
PAUSE: Final = lazy_pattern(r"[,:](?:(?<!\d[,:])|(?!\d))|\s-\s", re.NOFLAG)
"""Where a part of a statement ends."""
CONCLUSION: Final = ScriptPattern("context.conclusion_at_end")
"""At the end of a break: the statement before it is the reason for the one after it."""

CONCLUSION_START: Final = ScriptPattern("context.conclusion_at_start")
"""At the start of a sentence that concludes from the sentences before it."""
CONTRAST: Final = ScriptPattern("context.contrast")
"""In a break: what follows is set against what was said before."""
CONTRAST_START: Final = ScriptPattern("context.contrast", prefix=r"\W*")
"""The same at the start of a sentence."""

CONTRAST_INSIDE: Final = ScriptPattern("context.contrast_inside")
"""The same between the subject and its verb: "The fee, however, is not stated"."""

TRIGGER: Final = ScriptPattern("abstention.trigger")
"""Without one of these, a clause contains no phrase that abstains."""
DENIAL_TRIGGER: Final = ScriptPattern("denial.trigger")
"""Without one of these, a statement does not deny the answer to a question."""
CARRIED_PART: Final = ScriptPattern("abstention.carried_part")
"""The whole statement says which part is missing: "but not the amount"."""
REPORT: Final = ScriptPattern("context.report")
"""Reports what the text has."""
CARRIED_REPORT: Final = ScriptPattern("context.carried_report")
"""The same, if the statement before it is about the text."""
WHOLE: Final = ScriptPattern("context.whole")
"""In a refusal: it is about the question as a whole."""
FINAL_ANSWER: Final = ScriptPattern("context.final_answer")
"""At the start of a line: what follows is the answer, what precedes are thoughts."""
ADDITION: Final = ScriptPattern("context.addition", prefix=r"\W*")
"""At the start: what follows is added to what was said (\"In addition\")."""
BEYOND: Final = ScriptPattern("context.beyond")
"""In a refusal: what is missing goes beyond what was said before ("any other members")."""
ATTRIBUTION: Final = ScriptPattern("context.attribution")
"""At the start: gives the text as the source of what follows ("According to the passage, …")."""
CAUSE_INSIDE: Final = ScriptPattern("context.cause_inside")
"""Inside a part: the claim stands before it, the reason after it."""
REPORTED: Final = ScriptPattern("context.reported_before")
"""Before a phrase: somebody else says it about another text."""
SEEMING: Final = ScriptPattern("context.seeming")
"""The whole part before it: the speaker says it himself («Похоже, что …»)."""
INSTRUCTION: Final = ScriptPattern("context.instruction")
"""At the start: tells the reader what to do."""
NONE: Final = ScriptPattern("context.none_at_start")
"""At the start of an answer to who, what or how many: there is none."""
LABEL: Final = ScriptPattern("context.label_at_start")
"""At the start: only names what follows ("Answer:")."""
REPORT_FIELD: Final = ScriptPattern("context.report_field")
"""The whole statement: a field of a program's report that is no answer."""
STATUS: Final = ScriptPattern("context.status_label")
"""The label of a message of a program: "Error: …"."""
QUOTATION_LABEL: Final = ScriptPattern("context.quotation_label")
"""At the start of a statement that is evidence ("Quotation: …")."""
SOURCE_LINE: Final = ScriptPattern("context.source_line")
"""A whole line that names the sources of an answer: "Source: lease.pdf, p. 3"."""
EDITORIAL: Final = ScriptPattern("context.editorial_mark")
"""A mark in brackets that somebody set beside a text: "[citation needed]"."""
CAVEAT: Final = ScriptPattern("context.caveat")
"""After an answer: the speaker limits what the answer is worth, or will not act for the reader."""
POLAR: Final = ScriptPattern("context.polar_at_start")
"""At the start: decides a question of yes or no by itself."""

CONCESSION: Final = ScriptPattern("context.concession_at_start")
"""At the start of a part that the answer concedes; it is not the point of the sentence."""
CAUSE: Final = ScriptPattern("context.cause_at_start")
"""At the start of a reason; the claim is what the reason explains."""
LEAD: Final = ScriptPattern("context.lead_in_at_start")
"""At the start of a part that only leads up to a statement."""
QUESTION: Final = ScriptPattern("context.question")
"""Names what is asked rather than answering it."""
ASSERTION: Final = ScriptPattern("context.assertion")
"""A verb that states something."""
INFERENCE: Final = ScriptPattern("context.inference")
"""After a refusal: what can be concluded all the same ("though the stamp points to 1840")."""
DATING: Final = ScriptPattern("context.dating")
"""Says by a decade or a century when something was."""
HEDGE: Final = ScriptPattern("context.guess")
"""Announces a guess."""


def _copula() -> str:
    verbs = alternatives("context.value_verb")
    words = alternatives("context.value_qualifier_word")
    characters = alternatives("context.value_qualifier_character")
    return rf"(?:(?:{verbs})(?:\W|\b(?:{words})\b|{characters})*$)"


REASON_LABEL: Final = ScriptPattern("context.reason_label")
"""At the start of the reason for a refusal: "Reason: …"."""
CANNOT_TELL: Final = ScriptPattern("context.cannot_tell")
"""The speaker or a text cannot tell: "I can confirm neither"."""
SPEAKING: Final = ScriptPattern("context.speaking")
"""The speaker: "I", "we"."""
UNSOLVED: Final = ScriptPattern("context.unsolved")
"""Denies that something was established, proved or solved."""
WHETHER: Final = ScriptPattern("context.whether")
"""Speaks of what a text says, or leaves the question open."""
DECLINED: Final = ScriptPattern("context.declined")
"""Somebody would not tell: "The spokeswoman declined to comment"."""
NO_RECORD: Final = ScriptPattern("context.no_record")
"""There is no record of what is asked for."""
MEANS: Final = ScriptPattern("context.means")
"""At the start: tells what something means."""
PERSON: Final = ScriptPattern("context.person")
"""A person who is spoken of: "he"."""
ABSENT: Final = ScriptPattern("context.absent")
"""Is not there: a no to whether something is there."""
INFORMATION: Final = ScriptPattern("words.information")
"""A word for information in general."""
ANSWER_WORD: Final = ScriptPattern("context.answer_word")
"""The answer itself, and not what it is about: "Answer not found"."""
PRESENCE: Final = ScriptPattern("context.presence")
"""The whole part: something is there, with or without its value in brackets."""
SEARCH: Final = ScriptPattern("context.search")
"""At the start: the speaker tells where the answer was looked for."""
COMPLEMENT: Final = ScriptPattern("context.complement_at_start")
"""At the start of what somebody said, found or knows: "That the form was missing"."""
TOPIC: Final = ScriptPattern("context.topic")
"""A verb by which a text deals with a topic, without telling anything about it."""
COPULA: Final = lazy_pattern(_copula)
"""Directly before a number: the number is given as a value ("is about", 为)."""
FIGURE: Final = ScriptPattern("context.figure", "[0-9]")
"""A number that carries information."""

OWN_TEXT: Final = ScriptPattern("sign.own_text")
"""Names a text or a part of one."""
EXPLAINING: Final = ScriptPattern("context.explaining")
"""Speaks of reasons: "they gave no reason" is no reason."""
SUPPORT: Final = ScriptPattern("context.support")
"""Says nothing about the matter: regret, advice, what else the text covers, who has forgotten."""
AFFIRMED: Final = ScriptPattern("context.affirmed")
"""Two negations that affirm: "cannot but", «не могу не», 不得不."""
RETRACTION: Final = ScriptPattern("context.retraction", prefix=r"^\W*")
"""At the start of a statement that takes back what was said before: "Just kidding"."""
NOMINAL_VALUE: Final = ScriptPattern("context.nominal_value")
"""The whole part: a value without a verb between it and what it belongs to («Сумма 500»)."""
ADVICE: Final = ScriptPattern("context.advice")
"""At the start: an offer, advice or a request; it says nothing, whatever figures it contains."""
SPEAKER: Final = ScriptPattern("context.speaker")
"""The whole statement only names who is quoted."""
QUOTATION: Final = lazy_pattern(
    "“[^”]{1,600}”|«[^»]{1,600}»|「[^」]{1,600}」|『[^』]{1,600}』|„[^“”]{1,600}[“”]"
    '|"[^"]{1,600}"|＂[^＂]{1,600}＂'
    # Single marks are also apostrophes: only after a comma or colon, or as a pair.
    r"|'(?<=[:,] ')[^'\n]{1,300}(?:'(?=[a-z])[^'\n]{1,300}){0,6}'(?!\w)|‘(?:[^‘’\n]|’(?=\w)){1,600}’"
    # A Chinese title counts only if it denies something: 《合同》未约定 is about the contract.
    "|《[^》]{0,60}[不没未无][^》]{0,60}》",
    re.NOFLAG,
)
"""A quotation: words of the text, not of the answer."""
EMPTY_QUOTATION: Final = ScriptPattern("context.empty_quotation")
"""The whole quotation is an empty value: the sheet says "TBD"."""
QUOTED: Final = "\u25a1"
"""Stands for a quotation that was taken out of a sentence; it is no letter and no stop."""
BARE_VALUE: Final = lazy_pattern(r"\W*\d[\d\s,.]*(?!年)(?:(?!的)[^\W\d]){0,12}\W*", re.NOFLAG)
"""A number, with or without a word for its unit, and nothing else (no Chinese year, no 的)."""
AMOUNT: Final = ScriptPattern("context.amount_at_end")
"""At the end of a Chinese part that is not a noun phrase: what somebody pays, waits or counts."""
REQUEST: Final = ScriptPattern("context.request")
"""At the start of a part: speaks of the request itself ("Your question may be about …")."""
LIMIT: Final = ScriptPattern("context.limit")
"""Tells how little the text has."""


@cache
def to_simplified() -> dict[int, int]:
    """A table for ``str.translate`` with the traditional characters of the Chinese lexicon."""
    return str.maketrans(
        entry("zh", "traditional.traditional"), entry("zh", "traditional.simplified")
    )
