"""The simulation: event loops, and what they leave."""
