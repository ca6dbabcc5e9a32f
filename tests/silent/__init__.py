"""Hazards on which torch is silent, shown by numbers: pairs of programs, one wrong and one right."""
