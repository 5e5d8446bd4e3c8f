"""Contract clauses, review rules, laws, and what a verdict is worth."""

from assay.data.contract.clause import ClauseQuestion
from assay.data.contract.rule import Rule
from assay.data.contract.rule import RuleBook
from assay.data.contract.rule import folded_text
from assay.data.contract.clause import read_clauses
from assay.data.contract.law import read_laws
from assay.data.contract.risk_score import read_risk_scores
from assay.data.contract.rule import read_rules

__all__ = [
    "ClauseQuestion",
    "Rule",
    "RuleBook",
    "folded_text",
    "read_clauses",
    "read_laws",
    "read_risk_scores",
    "read_rules",
]
