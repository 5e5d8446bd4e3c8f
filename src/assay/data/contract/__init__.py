"""Read contract clauses, review rules, laws and tables of risk scores."""

from assay.data.contract.clause import ClauseQuestion, read_clauses
from assay.data.contract.law import read_laws
from assay.data.contract.risk_score import read_risk_scores
from assay.data.contract.rule import Rule, RuleBook, folded_text, read_rules

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
