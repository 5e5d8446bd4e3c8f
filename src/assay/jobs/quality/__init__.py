"""The quality job: does each answer about a PDF hold what it must, and nothing it must not?"""
