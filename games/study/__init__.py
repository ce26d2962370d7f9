"""Studies: many bot rounds with hands, to learn how often towers fall, where, and which dimension of a set matters.

Begin with `StudySetup` and `games.study.run.run_study`.
"""
