"""Judges of the paper's claims: what the results say, and whether the claim holds.

A judge is a function of the ``Evidence``. Its docstring is the rule by which it judges, and is
printed below the table of claims.
"""
