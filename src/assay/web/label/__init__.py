"""Labelling on the page: answers to judge, agreement of people."""
