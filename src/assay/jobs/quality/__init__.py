"""The quality job: does each answer about a PDF contain what it must, and nothing it must not?"""
