"""Where utility functions come from: models, files of curves, answers to a survey.

Each module that holds a model registers it in `swfx.utilities.registry`.
"""
