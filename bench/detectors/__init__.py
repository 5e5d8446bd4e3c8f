"""The sections of bench/detect.py. To add one, write a module and name it here."""

from detectors import abstention, expressions, legal, names, short_answer, speed

SECTIONS = (abstention, names, expressions, short_answer, legal, speed)
