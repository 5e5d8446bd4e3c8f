"""More refusals by class: what was never measured, programs, vague mentions; and facts beside them."""

import pytest

from assay import abstains


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # What would have told it was not done, or the instrument did not run.
        ("How thick is the wall?", "No survey of the wall has been carried out."),
        ("What was the wind speed at noon?", "The sensor was offline from 11:40 to 12:30; there is no reading for noon."),
        ("What is the age of the bone?", "Test results for the bone are still outstanding."),
        ("Which species is it?", "The photo is of insufficient quality for an identification to be made."),
        ("How wide is the crack?", "The width could no longer be read off the gauge."),
        # A text stops short, is vague, or names only in a vague way.
        ("Who built the organ?", "The guide praises the organ but stops short of naming its builder."),
        ("How many guests may stay?", "The lease covers guests in general but is vague about numbers."),
        ("Which firm won the contract?", "The notice identifies the winner merely as a local firm."),
        ("Who paid for the chapel?", "The inscription thanks its donors and leaves it at that."),
        ("How deep is the well?", "From these notes its depth can only be guessed at."),
        ("What is the flash point?", 'That is a property the sheet marks as "TBD".'),
        ("What is the limit per person?", "There's a column for limits, but the cell has been left empty."),
        ("Who printed the map?", "The printer's details appear to have been trimmed from this copy."),
        # Somebody has yet to tell, or cannot call it to mind.
        ("How many houses were flooded?", "The council has yet to release figures."),
        ("What is the tune called?", "It's on the tip of my tongue, sorry."),
        ("Where's the ladder?", "If only I knew!"),
        # A program cannot, may not, or has no entry.
        ("Who owns ticket 12?", "Ticket 12 has no 'owner' field; cannot resolve query."),
        ("What is the torque?", 'No entry for "hub bolt" in the table. Nearest headings: hub cap, hub nut.'),
        ("What is the load?", "host.load_avg: no samples in range"),
        ("What is her salary?", "HTTP 403: you are not authorized to view this record"),
        ("Who owns the branch?", "owner lookup failed (timeout after 10s)"),
        ("What is the capital?", "Confidence 0.11 < threshold 0.40: answer withheld"),
        ("What is the tax code?", "TAX_CODE missing in master data"),
        (None, "[bot] no_evidence → abstain"),
        (None, "It's not in there, I'm afraid."),
        # Courtesy before a refusal is no answer.
        ("What did the donor mean?", "With respect, the deed does not say, and I am not prepared to speculate."),
        # One of two is asked for, and not both of them.
        ("Which of the two sisters sold the farm?", "The ledger stops in 1840, some years before the sale, and I know of no other source."),
    ],
)  # fmt: skip
def test_answers_that_only_say_what_is_not_to_be_had_abstain(question: str | None, answer: str):
    """An answer abstains if what would tell was not done, is cut off, kept back or not there."""
    assert abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # How a search ended, though a search may also be one of a text.
        ("How did the search for the plane end?", "The plane was never found and the search was given up in May."),
        # What came back without an answer, and how many there were.
        ("How many of the letters remained unanswered?", "12 got no answer."),
        ("Number of open tickets", "None. 0 open tickets."),
        # What somebody found wanting, or would not do.
        ("Why was the essay returned?", "The tutor thought it too short to support any conclusion."),
        ("Why did the clerk leave?", "He fell out with the manager and would not sign the papers."),
        ("What do visitors say about the café?", "They found nothing to praise in it."),
        # What was impossible only up to a day; what lasts to the end of something.
        ("How was the script read?", "It could not be deciphered until 1931, when Kern found the key."),
        ("How long must the files be stored?", "Files must be stored for five years after the end of the project."),
        ("Which box did she tick?", 'She ticked "unknown".'),
    ],
)  # fmt: skip
def test_facts_that_look_like_a_gap_are_answers(question: str, answer: str):
    """What was not found, not done or left unanswered is the answer if it is what was asked."""
    assert not abstains(answer, question)
