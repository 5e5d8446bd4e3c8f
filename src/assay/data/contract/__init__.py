"""Read contract clauses, review rules, laws and tables of risk scores."""

from assay.data.contract.clause import ClauseFile, ClauseQuestion, read_clause_file, read_clauses
from assay.data.contract.law import LawFile, read_law_file, read_laws
from assay.data.contract.mode_figures import FROM_LEVELS, mode_figures, mode_matrix
from assay.data.contract.mode_results import (
    ModeCase,
    ModeResults,
    is_mode_results,
    mode_results,
    read_mode_results,
)
from assay.data.contract.risk_score import read_risk_scores
from assay.data.contract.rule import Rule, RuleBook, folded_text, read_rules

__all__ = [
    "FROM_LEVELS",
    "ClauseFile",
    "ClauseQuestion",
    "LawFile",
    "ModeCase",
    "ModeResults",
    "Rule",
    "RuleBook",
    "folded_text",
    "is_mode_results",
    "mode_figures",
    "mode_matrix",
    "mode_results",
    "read_clause_file",
    "read_clauses",
    "read_law_file",
    "read_laws",
    "read_mode_results",
    "read_risk_scores",
    "read_rules",
]
