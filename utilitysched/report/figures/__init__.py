"""Figures for papers, drawn with matplotlib (extra `plot`) from `utilitysched.analysis.series`.

`catalogue` has them by name. Each is drawn so many inches wide; where the runs cannot share a
figure, or have nothing to draw in it, an InputError says why. No display is needed, and the same
runs give the same bytes.
"""
