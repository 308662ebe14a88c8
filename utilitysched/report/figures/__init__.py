"""Figures for papers, drawn with matplotlib (extra `plot`) from `utilitysched.analysis.series`.

One file per figure, a function `draw` in each; `catalogue` has them by name. No display is needed,
and the same runs give the same bytes.
"""
