"""Read contract clauses, review rules, laws and tables of risk scores."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.data.contract.clause import (
        ClauseFile,
        ClauseQuestion,
        read_clause_file,
        read_clauses,
    )
    from assay.data.contract.law import LawFile, read_law_file, read_laws
    from assay.data.contract.mode_figure import FROM_LEVELS, mode_figures, mode_matrix
    from assay.data.contract.mode_result import (
        ModeCase,
        ModeResults,
        is_mode_results,
        mode_results,
        read_mode_results,
    )
    from assay.data.contract.risk_score import read_risk_scores
    from assay.data.contract.rule import Rule, RuleBook, folded_text, read_rules
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "ClauseFile": "clause",
            "ClauseQuestion": "clause",
            "FROM_LEVELS": "mode_figure",
            "LawFile": "law",
            "ModeCase": "mode_result",
            "ModeResults": "mode_result",
            "Rule": "rule",
            "RuleBook": "rule",
            "folded_text": "rule",
            "is_mode_results": "mode_result",
            "mode_figures": "mode_figure",
            "mode_matrix": "mode_figure",
            "mode_results": "mode_result",
            "read_clause_file": "clause",
            "read_clauses": "clause",
            "read_law_file": "law",
            "read_laws": "law",
            "read_mode_results": "mode_result",
            "read_risk_scores": "risk_score",
            "read_rules": "rule",
        },
    )

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
