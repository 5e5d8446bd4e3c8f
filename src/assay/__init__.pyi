from assay.checks.abstention import abstains as abstains
from assay.checks.abstention import assess_abstention as assess_abstention
from assay.checks.answer import Check as Check
from assay.checks.answer import check_answer as check_answer
from assay.checks.invention import inventions as inventions
from assay.checks.invention import severity as severity
from assay.checks.own_scorer import scorer as scorer
from assay.checks.quotation import Verification as Verification
from assay.checks.quotation import verify_quotation as verify_quotation
from assay.jobs.contract.law import read_laws as read_laws
from assay.jobs.contract.law_citation import check_law as check_law
from assay.jobs.contract.law_citation import law_citations as law_citations
from assay.judge.verifier import AligningReranker as AligningReranker
from assay.judge.verifier import verify_quotation_with as verify_quotation_with
from assay.library.case_list import CaseList as CaseList
from assay.library.comparison import Comparison as Comparison
from assay.library.comparison import compare as compare
from assay.library.result import Run as Run
from assay.library.run import ablate as ablate
from assay.library.run import evaluate as evaluate
from assay.library.run import open as open  # noqa: A004 - assay.open
from assay.library.run import run as run
from assay.text.date import read_dates as read_dates
from assay.text.number import read_numbers as read_numbers

__version__: str
__all__: list[str]  # noqa: PYI035 - attached from these lines
