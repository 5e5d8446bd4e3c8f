"""The gate: is the candidate as good as the base, is it not, or can that not be said?"""
