"""Checks of answers: pure, offline, and honest about what they cannot tell.

Each answers one question and has one public function:

- ``check_answer``: does the answer give the expected value?
- ``assess_abstention``, ``abstains``: does the answer say that there is none?
- ``verify_quotation``: does the quotation stand in its source?
- ``inventions``: what does the answer add that its sources do not have?

What is clear is decided; the rest is "unsure", with the way it leans. docs/checks.md says how often
each agrees with people.
"""
