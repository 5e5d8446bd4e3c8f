"""The sections of bench/detect.py. To add one, write a module and name it here."""

from detectors import abstention, short_answer

SECTIONS = (abstention, short_answer)
