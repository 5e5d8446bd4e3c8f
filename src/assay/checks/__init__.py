"""Checks of answers: pure, offline, and honest about what they cannot tell.

Each answers one question and has one public function:

- ``check_answer``: does the answer give the expected value?
- ``assess_abstention``, ``abstains``: does the answer say that there is none?
- ``verify_quotation``: does the quotation stand in its source?
- ``inventions``: what does the answer add that its sources do not have?

What is clear is decided; the rest is "unsure", with the way it leans. docs/checks.md says how often
each agrees with people.
"""

from assay.checks.abstention import Abstention, abstains, assess_abstention
from assay.checks.answer import Check, check_answer, expects_abstention, said_span
from assay.checks.doubt import is_denied
from assay.checks.invention import SEVERITY, Invention, Penalty, inventions, severity
from assay.checks.overlap import Cut, answer_tokens, is_exact, token_f1
from assay.checks.polarity import expected_polarity, is_denying, polarity
from assay.checks.quotation import (
    THRESHOLD,
    Candidate,
    Difference,
    Verification,
    verify_quotation,
)

__all__ = [
    "SEVERITY",
    "THRESHOLD",
    "Abstention",
    "Candidate",
    "Check",
    "Cut",
    "Difference",
    "Invention",
    "Penalty",
    "Verification",
    "abstains",
    "answer_tokens",
    "assess_abstention",
    "check_answer",
    "expected_polarity",
    "expects_abstention",
    "inventions",
    "is_denied",
    "is_denying",
    "is_exact",
    "polarity",
    "said_span",
    "severity",
    "token_f1",
    "verify_quotation",
]
