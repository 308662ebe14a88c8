"""Charts, specified once in Vega-Lite, and drawn from that on pages, in notebooks and papers."""
