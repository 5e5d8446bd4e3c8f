"""Read contract clauses, review rules, laws and tables of risk scores."""

from assay.data.contract.clause import ClauseFile, ClauseQuestion, read_clause_file, read_clauses
from assay.data.contract.law import LawFile, read_law_file, read_laws
from assay.data.contract.risk_score import read_risk_scores
from assay.data.contract.rule import Rule, RuleBook, folded_text, read_rules

__all__ = [
    "ClauseFile",
    "ClauseQuestion",
    "LawFile",
    "Rule",
    "RuleBook",
    "folded_text",
    "read_clause_file",
    "read_clauses",
    "read_law_file",
    "read_laws",
    "read_risk_scores",
    "read_rules",
]
