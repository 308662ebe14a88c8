"""Learning of weights from simulations."""
