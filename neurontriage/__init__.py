"""Explains why an AWS Neuron (Trainium, Inferentia) job failed."""

__version__ = "0.1.0"
